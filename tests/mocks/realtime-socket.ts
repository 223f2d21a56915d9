import { type WebSocketHandler, ws } from 'msw';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import type { RealtimeClient } from '#tests/mocks/mock-realtime.ts';

/** The project's websocket, for MSW's `setupServer`. Each frame goes to `take`, and who closes has left every topic. */
export function realtimeSocket(mock: MockBackend, take: (client: RealtimeClient, data: unknown) => Promise<void>): WebSocketHandler {
  const address = ws.link(`${mock.settings.url.replace(/^http/, 'ws')}/realtime/v1/websocket*`);
  return address.addEventListener('connection', ({ client }) => {
    client.addEventListener('message', ({ data }) => {
      take(client, data).catch((error: unknown) => client.close(1011, error instanceof Error ? error.message.slice(0, 100) : 'failed'));
    });
    client.addEventListener('close', () => mock.realtime.disconnect(client));
  });
}
