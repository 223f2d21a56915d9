import { startStranger } from '#tests/support/stranger-peers.ts';

/** A provider of models that streams its answer: each piece is sent when the test says so, and the answer ends with `end`. */
export async function startSlowModel() {
  let send: (piece: string | null) => void = () => undefined;
  const stranger = await startStranger((request, _body, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'small-1', object: 'model', created: 1, owned_by: 'stub' }] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (choice: object, more: object = {}) =>
      response.write(
        `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'small-1', choices: [{ index: 0, ...choice }], ...more })}\n\n`,
      );
    chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null });
    send = (piece) => {
      if (piece !== null) return void chunk({ delta: { content: piece }, finish_reason: null });
      const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
      chunk({ delta: {}, finish_reason: 'stop' }, { usage });
      response.end('data: [DONE]\n\n');
    };
    calls += 1;
  });
  let calls = 0;
  return { stranger, calls: () => calls, write: (piece: string) => send(piece), end: () => send(null) };
}
