// Preloaded into the server under test: tells its parent how late its event loop was, what CPU it took, when it listens.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 5;
if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let cpu = process.cpuUsage();
  process.on('message', (message) => {
    if (message === 'reset') {
      delay.reset();
      cpu = process.cpuUsage();
      process.send('reset');
    } else if (message === 'read') {
      const since = process.cpuUsage(cpu);
      // the histogram holds the whole pause between two ticks of its timer, which is never under the resolution
      const late = (value) => Math.max(0, value / 1e6 - RESOLUTION_MS);
      process.send({ loopP99: late(delay.percentile(99)), loopMax: late(delay.max), cpuMs: (since.user + since.system) / 1_000 });
    }
  });
  // the channel must not keep a server alive that is told to end
  process.channel?.unref();
}
