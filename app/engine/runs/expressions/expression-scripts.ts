/*
 * The programs of the process that evaluates expressions. Texts, so that they need no entry of their own in the build.
 */

/**
 * Runs in a realm of its own that holds the language and JSONata, and no object of Node's: code that breaks out of an
 * expression finds no `process`, no `require` and no network. Takes a job and leaves an answer, both as text.
 */
export const REALM = `
const { parse, stringify } = JSON;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
// JSONata asks a browser for these two
globalThis.window = {
  btoa(text) {
    let out = '';
    for (let at = 0; at < text.length; at += 3) {
      const [a, b, c] = [text.charCodeAt(at) & 255, text.charCodeAt(at + 1) & 255, text.charCodeAt(at + 2) & 255];
      out += ALPHABET[a >> 2] + ALPHABET[((a & 3) << 4) | (b >> 4)];
      out += at + 1 < text.length ? ALPHABET[((b & 15) << 2) | (c >> 6)] : '=';
      out += at + 2 < text.length ? ALPHABET[c & 63] : '=';
    }
    return out;
  },
  atob(text) {
    let out = '';
    let bits = 0;
    let held = 0;
    for (const letter of text.replaceAll('-', '+').replaceAll('_', '/')) {
      if (letter === '=') break;
      const value = ALPHABET.indexOf(letter);
      if (value === -1) continue;
      bits = ((bits << 6) | value) & 0xffffff;
      held += 6;
      if (held < 8) continue;
      held -= 8;
      out += String.fromCharCode((bits >> held) & 255);
    }
    return out;
  },
};
const refuse = () => { throw { code: 'QUORATE_EVAL', message: '$eval is not available' }; };
globalThis.evaluateJob = async () => {
  globalThis.answer = '';
  try {
    const { text, scope, startedAt, limits } = parse(globalThis.job);
    const bindings = { now: () => new Date(startedAt).toISOString(), millis: () => startedAt, random: () => 0.5, shuffle: (list) => list, eval: refuse };
    const result = await jsonata(text, limits).evaluate(parse(scope), bindings);
    const json = typeof result === 'function' ? undefined : stringify(result);
    globalThis.answer = stringify({ ok: true, text: json === undefined ? null : json });
  } catch (error) {
    const position = error?.position === undefined ? '' : ' (' + error.position + ')';
    globalThis.answer = stringify({ ok: false, code: String(error?.code ?? ''), message: String(error?.message ?? error).slice(0, 200) + position });
  }
};
`;

/**
 * The thread that evaluates. Before anything of others runs in it, it gives up what leads to a socket, so that leaving the realm
 * would not be enough either. Nothing in the realm waits for a timer or for anything outside: when the call returns, the
 * realm's own microtasks have run and the answer is there.
 */
export const EVALUATION = `
const { parentPort, workerData } = require('node:worker_threads');
const vm = require('node:vm');
const { realm, language } = workerData;
const source = require('node:fs').readFileSync(language, 'utf8');
for (const name of ['require', 'module', 'exports', 'process', 'fetch', 'WebSocket', 'EventSource', 'Worker', 'WebAssembly']) delete globalThis[name];
const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' });
vm.runInContext('{ const module = { exports: {} }, exports = module.exports;' + source + ';globalThis.jsonata = module.exports; }' + realm, context);
const evaluateJob = new vm.Script('void evaluateJob()');
const answer = new vm.Script('String(answer)');
parentPort.postMessage('ready');
parentPort.on('message', (job) => {
  context.job = JSON.stringify(job);
  evaluateJob.runInContext(context);
  parentPort.postMessage(JSON.parse(answer.runInContext(context)));
});
`;

/**
 * The first thread watches. It counts processor time, not the clock, so that a busy machine fails no expression; and when our process is
 * gone, an evaluation that is stuck must not continue without it.
 */
export const WATCH = `
const { Worker } = require('node:worker_threads');
process.on('disconnect', () => process.exit());
const [language, evaluationScript, realm] = process.argv.slice(1);
const evaluation = new Worker(evaluationScript, { eval: true, workerData: { language, realm } });
const end = (code) => process.send({ ok: false, code, message: 'the evaluation ended' }, () => process.exit());
const usedMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
let watch;
evaluation.on('message', (message) => { clearInterval(watch); process.send(message); });
evaluation.on('error', (error) => end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'QUORATE_MEMORY' : 'QUORATE_LOST'));
process.on('message', ({ cpuMs, ...job }) => {
  const before = usedMs();
  watch = setInterval(() => { if (usedMs() - before > cpuMs) { clearInterval(watch); end('QUORATE_STUCK'); } }, 10);
  evaluation.postMessage(job);
});
`;
