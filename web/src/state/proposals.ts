// Pending proposals; the badge counts them in every view.
import { computed, signal } from "@preact/signals";
import { every } from "../api/client";
import type { Proposal, Proposals } from "../api/contract";
import { at, mind } from "./mind";

export const proposals = signal<Proposal[] | null>(null);
export const pending = computed(() => (proposals.value ?? []).filter((proposal) => proposal.status === "pending"));

export async function loadProposals(): Promise<void> {
  if (!mind.value) return;
  proposals.value = (await every<Proposals>(at("/proposals"), "proposals")).proposals;
}
