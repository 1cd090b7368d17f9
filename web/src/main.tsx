// Entry point of the page.
import { render } from "preact";
import "./style/page.css";
import "./state/live";
import { App } from "./app";

render(<App />, document.getElementById("page")!);
