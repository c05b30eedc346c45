
// ---- points by WebGL: one call for all of them, or two where only some are lit ----

const COLOURS = 128;
const VERTEX = `#version 300 es
in vec2 place;
in uint look;
uniform vec2 scale, shift;
uniform float size;
uniform int only;
uniform vec3 palette[${COLOURS}];
out vec4 colour;
void main() {
  uint lit = look & 1u;
  gl_Position = vec4(place * scale + shift, 0.0, 1.0);
  if (only >= 0 && int(lit) != only) gl_Position.x = 9.0;
  gl_PointSize = only == 0 ? max(size * 0.8, 1.0) : size;
  colour = only == 0 ? vec4(palette[0], 0.16) : vec4(palette[min(look >> 1u, ${COLOURS - 1}u)], 0.8);
}`;
const FRAGMENT = `#version 300 es
// As in the other shader, with which it shares the size.
precision highp float;
in vec4 colour;
uniform float size;
out vec4 pixel;
void main() {
  float edge = length(gl_PointCoord - 0.5) * size;
  float inside = size < 3.0 ? 1.0 : clamp(size * 0.5 - edge, 0.0, 1.0);
  pixel = vec4(colour.rgb, 1.0) * colour.a * inside;
}`;

// A point is larger where there are few, and grows as one comes nearer.
function pointSize(count, width, height, nearer) {
  const even = Math.min(Math.max(0.5 * Math.sqrt((width * height) / Math.max(count, 1)), 1.7), 9);
  return Math.min(even * Math.max(nearer, 1) ** 0.4, 16);
}

function createDrawing(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
  if (!gl) return null;
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const at = (name) => gl.getUniformLocation(program, name);
  const names = ["scale", "shift", "size", "only", "palette"];
  return {
    gl, count: 0, isPart: false,
    uniform: Object.fromEntries(names.map((name) => [name, at(name)])),
    place: { buffer: gl.createBuffer(), index: gl.getAttribLocation(program, "place") },
    look: { buffer: gl.createBuffer(), index: gl.getAttribLocation(program, "look") },
  };
}

function givePlaces(drawing, place) {
  const { gl, place: { buffer, index } } = drawing;
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, place, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(index);
  gl.vertexAttribPointer(index, 2, gl.UNSIGNED_SHORT, true, 0, 0);
}

function giveLooks(drawing, look) {
  const { gl, look: { buffer, index } } = drawing;
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, look, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(index);
  gl.vertexAttribIPointer(index, 1, gl.UNSIGNED_BYTE, 0, 0);
  drawing.count = look.length;
  drawing.isPart = look.some((value) => !(value & 1));
}

function givePalette(drawing, colours) {
  const values = new Float32Array(3 * COLOURS);
  colours.slice(0, COLOURS).forEach((colour, number) => {
    for (const part of [0, 1, 2])
      values[3 * number + part] = parseInt(colour.slice(1 + 2 * part, 3 + 2 * part), 16) / 255;
  });
  drawing.gl.uniform3fv(drawing.uniform.palette, values);
}

function drawPoints(drawing, view, width, height, size, ratio) {
  const { gl, uniform, count } = drawing;
  gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  if (!count) return;
  // Places come as parts of the whole, the screen goes from -1 to 1.
  const x = (2 * view.scale) / width, y = (2 * view.scale) / height;
  gl.uniform2f(uniform.scale, x * SIDE, y * SIDE);
  gl.uniform2f(uniform.shift, -view.x * x, -view.y * y);
  gl.uniform1f(uniform.size, size * ratio);
  for (const only of drawing.isPart ? [0, 1] : [-1]) {
    gl.uniform1i(uniform.only, only);
    gl.drawArrays(gl.POINTS, 0, count);
  }
}
