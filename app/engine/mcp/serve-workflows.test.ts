import { v7 as newId } from 'uuid';
import { expect, it, vi } from 'vitest';
import { serveWorkflows } from '#app/engine/mcp/serve-workflows.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';

it('tells a caller of a defect nothing but a reference, under which the log has the cause', async () => {
  const defect = new Error('relation "quorate.secret_plans" at db.internal.example');
  const error = vi.fn();
  const failing = () => Promise.reject(defect);
  const caller: Pick<Caller, 'key' | 'servedRevision' | 'readRun' | 'read'> = {
    key: {
      id: 'a-key',
      name: 'Program',
      scopes: ['runs:read'],
      roles: ['builder'],
      user: { id: newId() },
      workspace: { id: newId(), name: 'Acme', plan: 'enterprise', trialEndsAt: null, settings: {} },
    },
    servedRevision: null,
    readRun: failing,
    // The list of workflows, which nothing is wrong with.
    read: () => Promise.resolve({ revision: 'r', workflows: [] } as never),
  };
  const log = { info: vi.fn(), warn: vi.fn(), error };
  const legacyCalls = { cancel: () => undefined, open: () => ({ signal: new AbortController().signal, end: () => undefined }) };
  const deps = {
    log,
    requestId: 'reference-1',
    origin: 'https://quorate.example',
    engine: { legacyCalls, watchRun: () => () => undefined },
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_run', arguments: { runId: newId() } } };
  const request = new Request('https://quorate.example/mcp/acme', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  const text = await (await serveWorkflows(request, caller as Caller, deps as unknown as ServingDeps)).text();
  expect(text).toContain('Something went wrong. Reference: reference-1.');
  expect(text).toContain('"isError":true');
  expect(text).not.toMatch(/secret_plans|internal\.example/);
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.any(String), expect.objectContaining({ request: 'reference-1', error: defect }));
});
