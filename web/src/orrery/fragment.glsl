precision highp float;

varying vec3 one;
varying vec3 two;
varying float light;
varying float shown;
varying float wide;

uniform float plain;
uniform float dark;     // 1 on a night sky, 0 on paper

void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float d = length(at);
  if (d > 1.0) discard;
  float halved = smoothstep(-0.35, 0.35, at.x * 0.6 + at.y * 0.8);
  vec3 hue = mix(one, two, halved);
  if (wide < plain) {
    float a = (1.0 - smoothstep(0.5, 1.0, d)) * (0.35 + 0.65 * light) * shown;
    vec3 paper = hue * 0.8;
    gl_FragColor = vec4(mix(paper, hue, dark) * a, a * mix(1.0, 0.35, dark));
    return;
  }
  float core = 1.0 - smoothstep(0.36, 0.42, d);
  // A ball of glass: lit from above left, deeper at its edge.
  float shade = 1.0 - 0.42 * smoothstep(0.1, 0.42, length(at - vec2(-0.1, -0.12)));
  float spark = exp(-18.0 * dot(at - vec2(-0.14, -0.17), at - vec2(-0.14, -0.17)));
  float halo = exp(-4.2 * d) * (1.0 - smoothstep(0.7, 1.0, d)) * light;
  vec3 ball = hue * shade * mix(0.92, 0.62 + 0.5 * light, dark) + vec3(spark) * mix(0.5, 0.55, dark);
  float ballAlpha = core * (0.35 + 0.65 * min(1.0, light)) * shown;
  float haloAlpha = halo * shown * mix(0.5, 0.95, dark);
  vec3 sum = ball * ballAlpha + hue * haloAlpha * (1.0 - ballAlpha);
  gl_FragColor = vec4(sum, ballAlpha + haloAlpha * (1.0 - ballAlpha) * mix(1.0, 0.2, dark));
}
