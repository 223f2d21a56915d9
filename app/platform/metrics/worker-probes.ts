import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Family } from '#app/domain/metrics/exposition.ts';
import { METRICS_PATH, PROBES } from '#app/platform/http/request-guard.ts';
import { answerMetrics } from '#app/platform/metrics/answer-metrics.ts';

export type WorkerProbes = {
  /** Null: the figures are told to nobody, and their address is like any other. */
  metricsToken: string | null;
  healthy(): Promise<boolean>;
  metrics(): Promise<readonly Family[]>;
};

/** Answers what watches a worker process, as a web server answers it, and nothing else. Rejects where it cannot listen. */
export async function openWorkerProbes({ host, port }: { host: string; port: number }, probes: WorkerProbes): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return say(response.setHeader('Allow', 'GET, HEAD'), 405, 'Only GET is answered here.');
    if (path === PROBES.live) return say(response, 200, 'ok');
    if (PROBES.ready.some((probe) => probe === path)) {
      return void probes.healthy().then(
        (well) => say(response, well ? 200 : 503, well ? 'ok' : 'not ready'),
        () => say(response, 503, 'not ready'),
      );
    }
    const { metricsToken: token } = probes;
    if (path !== METRICS_PATH || token === null) return say(response, 404, 'There is nothing here.');
    answerMetrics(request, response, { token, read: probes.metrics }).catch(() => say(response, 500, 'The figures could not be read.'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`it cannot listen on ${host}:${port} (${error.code ?? error.message}). Set QUORATE_WORKER_PORT to another one.`)),
    );
    server.listen(port, host, resolve);
  });
  return server;
}

function say(response: ServerResponse, status: number, line: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${line}\n`);
}
