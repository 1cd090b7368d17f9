// Draws orbs with WebGL: one buffer, one draw call. The GPU computes the positions, so the CPU cost does not depend on the number
// of orbs.
import vertex from "./vertex.glsl";
import fragment from "./fragment.glsl";
import type { Colour } from "../feelings";
import { type Lens, MOVE, type Orb, reach } from "./path";

/** Floats per orb: orbit 4, body 4, two colours of 3, pulse. */
const EACH = 15;

export type Painted = { orb: Orb; colours: [Colour, Colour]; dimmed: boolean; pulse: number };

/** A renderer for the orrery. */
export interface Painter {
  /** Replaces all orbs. */
  set(all: readonly Painted[]): void;
  /** Updates one orb. */
  put(at: number, painted: Painted): void;
  draw(now: number, lens: Lens, dark: boolean, scale: number): void;
  resize(width: number, height: number, ratio: number): void;
}

function compiled(gl: WebGLRenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

export class Light implements Painter {
  private readonly uniforms: Record<string, WebGLUniformLocation | null> = {};
  private data = new Float32Array(EACH * 1024);
  private count = 0;
  private ratio = 1;

  private constructor(private readonly gl: WebGLRenderingContext) {
    const program = gl.createProgram()!;
    gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(program);
    gl.useProgram(program);
    for (const name of ["reach", "centre", "now", "move", "scale", "plain", "dark"]) this.uniforms[name] = gl.getUniformLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    let offset = 0;
    for (const [name, size] of [["orbit", 4], ["body", 4], ["colour", 3], ["other", 3], ["pulse", 1]] as const) {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, gl.FLOAT, false, EACH * 4, offset);
      offset += size * 4;
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
    gl.uniform1f(this.uniforms["move"]!, MOVE);
  }

  static on(canvas: HTMLCanvasElement): Light | null {
    const gl = canvas.getContext("webgl", { alpha: true, antialias: false, depth: false, premultipliedAlpha: true, powerPreference: "low-power" });
    return gl ? new Light(gl) : null;
  }

  private write(at: number, { orb, colours, dimmed, pulse }: Painted): void {
    const numbers = [orb.from, orb.to, orb.since, orb.phase, orb.speed, orb.size, orb.glow, dimmed ? 0.88 : 0, ...colours[0], ...colours[1], pulse];
    this.data.set(numbers, at * EACH);
  }

  set(all: readonly Painted[]): void {
    if (this.data.length < all.length * EACH) this.data = new Float32Array(all.length * EACH * 2);
    all.forEach((painted, at) => this.write(at, painted));
    this.count = all.length;
    this.gl.bufferData(this.gl.ARRAY_BUFFER, this.data, this.gl.DYNAMIC_DRAW);
  }

  put(at: number, painted: Painted): void {
    this.write(at, painted);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, at * EACH * 4, this.data.subarray(at * EACH, (at + 1) * EACH));
  }

  draw(now: number, lens: Lens, dark: boolean, scale: number): void {
    const { gl, uniforms } = this;
    const [across, down] = reach(lens);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(uniforms["reach"]!, (across * 2) / lens.width, (down * 2) / lens.height);
    gl.uniform2f(uniforms["centre"]!, (lens.x * 2) / lens.width, (-lens.y * 2) / lens.height);
    gl.uniform1f(uniforms["now"]!, now);
    gl.uniform1f(uniforms["scale"]!, scale * this.ratio);
    // When orbs are drawn small, only the largest get a halo: it costs fill rate and is not visible.
    gl.uniform1f(uniforms["plain"]!, (scale < 0.5 ? 9 : 5) * this.ratio);
    gl.uniform1f(uniforms["dark"]!, dark ? 1 : 0);
    gl.drawArrays(gl.POINTS, 0, this.count);
  }

  resize(width: number, height: number, ratio: number): void {
    this.ratio = ratio;
    this.gl.viewport(0, 0, width * ratio, height * ratio);
  }
}
