import { registerHooks } from 'node:module';

/** Modules of Node that libraries may load: nothing of it starts or sends anything, and no file but the release's own can be read. */
const HARMLESS = new Set(['assert', 'buffer', 'events', 'module', 'os', 'path', 'fs', 'stream', 'string_decoder', 'url', 'util', 'zlib']);
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'Worker', 'BroadcastChannel', 'WebAssembly', 'navigator', 'Request', 'Response'];
const OF_PROCESS = ['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'kill', '_kill', 'send', 'channel'];

/** Gives up, for this thread and for good, what leads to a socket or to another process: Node 24 has no permission for the network. */
export function closeWaysOut(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (found.url.startsWith('node:') && !HARMLESS.has(found.url.slice('node:'.length))) throw new Error(`${specifier} is closed here`);
      return found;
    },
  });
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name);
  for (const name of OF_PROCESS) Object.defineProperty(process, name, { value: undefined, configurable: false });
  const { nextTick, platform, version } = process;
  const known = { nextTick: nextTick.bind(process), platform, version, versions: {}, env: {}, argv: [], browser: false, cwd: () => '/' };
  Object.defineProperty(globalThis, 'process', { value: Object.freeze(known), configurable: false });
}
