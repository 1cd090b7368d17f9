attribute vec4 orbit;   // from, to, since, phase
attribute vec4 body;    // speed, size, glow, dimmed
attribute vec3 colour;
attribute vec3 other;
attribute float pulse;  // when it was last recalled

uniform vec2 reach;     // half the sky, in clip space
uniform vec2 centre;
uniform float now;
uniform float move;
uniform float scale;    // pixels for one unit of size
uniform float plain;    // smaller than this an orb has no halo

varying vec3 one;
varying vec3 two;
varying float light;
varying float shown;
varying float wide;

void main() {
  float share = clamp((now - orbit.z) / move, 0.0, 1.0);
  float left = 1.0 - share;
  float r = mix(orbit.x, orbit.y, 1.0 - left * left * left);
  float angle = orbit.w + body.x * now;
  float near = sin(angle);
  gl_Position = vec4(centre + vec2(cos(angle) * r * reach.x, -near * r * reach.y), 0.0, 1.0);
  float since = now - pulse;
  float flash = since >= 0.0 && since < 3.0 ? exp(-since * 1.4) : 0.0;
  float size = body.y * scale * (1.0 + 0.14 * near) * (1.0 + 0.9 * flash);
  wide = size;
  // What is small needs no room for a halo: most of ten thousand orbs are.
  gl_PointSize = size < plain ? max(size, 1.4) : size * 2.4;
  one = colour;
  two = other;
  light = min(1.6, body.z + flash);
  shown = 1.0 - body.w;
}
