import { v7 as newId } from 'uuid';
import { expect, it, vi } from 'vitest';
import { RunRequests, type Serving } from '#app/engine/a2a/run-requests.ts';

it('tells a caller of a defect nothing but a reference, under which the log has the cause', async () => {
  const defect = new Error('relation "quorate.secret_plans" at db.internal.example');
  const error = vi.fn();
  const serving = {
    caller: { key: { id: 'a-key' }, readRun: () => Promise.reject(defect) },
    deps: { log: { info: vi.fn(), warn: vi.fn(), error }, requestId: 'reference-1' },
  } as unknown as Serving;
  const asked = new RunRequests({} as never, serving).getTask({ tenant: '', id: newId() });
  await expect(asked).rejects.toMatchObject({ message: 'Something went wrong. Reference: reference-1.' });
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.any(String), expect.objectContaining({ request: 'reference-1', error: defect }));
});
