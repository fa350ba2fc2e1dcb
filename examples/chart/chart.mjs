// Decodes the message as columns, typed arrays without an object for each reading, and draws a line for each sensor.
import * as pack from "samewire/pack";

const Reading = pack.struct("Reading", {
  sensor: pack.string,
  at: pack.timestamp,
  celsius: pack.option(pack.f64),
});
const [LEFT, TOP, WIDTH, HEIGHT] = [46, 10, 606, 280];
const COLORS = ["#3b82c4", "#d97706", "#7c3aed"];
const svg = document.querySelector("svg");

function add(name, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  svg.append(element);
}

function draw(readings) {
  const at = readings.column("at", "timestamp").toMilliseconds();
  const celsius = readings.column("celsius", "f64").values; // NaN where there is none: a gap in the line
  const sensors = readings.column("sensor", "string").toArray();
  const measured = celsius.filter((value) => !Number.isNaN(value));
  const low = Math.floor(measured.reduce((a, b) => Math.min(a, b)));
  const high = Math.ceil(measured.reduce((a, b) => Math.max(a, b)));
  const [first, last] = [at[0], at[at.length - 1]];
  const x = (time) => LEFT + ((time - first) / (last - first)) * WIDTH;
  const y = (value) => TOP + ((high - value) / (high - low)) * HEIGHT;

  for (let degree = Math.ceil(low / 5) * 5; degree <= high; degree += 5) {
    add("path", { class: "axis", d: `M${LEFT} ${y(degree)}h${WIDTH}` });
    add("text", { x: 0, y: y(degree) + 4 }, `${degree} °C`);
  }
  for (let hour = 0; hour <= 24; hour += 6) add("text", { x: x(first + hour * 3_600_000) - 15, y: 312 }, `${hour}:00`);
  [...new Set(sensors)].forEach((sensor, index) => {
    let line = "";
    let end = 0;
    for (let row = 0, down = false; row < readings.length; row++) {
      if (sensors[row] !== sensor) continue;
      if (!Number.isNaN(celsius[row])) line += `${down ? "L" : "M"}${x(at[row]).toFixed(1)} ${(end = y(celsius[row])).toFixed(1)}`;
      down = !Number.isNaN(celsius[row]);
    }
    add("path", { class: "line", stroke: COLORS[index], d: line });
    add("text", { x: LEFT + WIDTH + 8, y: end + 4 }, sensor);
  });
  return `${measured.length} of ${readings.length} readings, from ${low} to ${high} °C`;
}

const summary = document.querySelector("#summary");
try {
  const message = new Uint8Array(await (await fetch("/readings")).arrayBuffer());
  const readings = pack.tableCodec(pack.list(Reading)).columns(message);
  summary.textContent = `${draw(readings)}, in ${message.length} bytes.`;
} catch (error) {
  summary.textContent = `It failed: ${error.message}`;
}
