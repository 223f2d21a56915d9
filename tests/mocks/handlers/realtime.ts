/** The websocket of Realtime: joining, heartbeats, broadcasts, presence and changes of the mocked tables (Phoenix channels, both serializers). */
import { HttpResponse } from 'msw';
import { endpoint, recordOf, textOf } from '#tests/mocks/handlers/endpoint.ts';
import type { MockBackend } from '#tests/mocks/mock-backend.ts';
import type { MockRealtime, RealtimeClient } from '#tests/mocks/mock-realtime.ts';

/** Broadcasts that are sent by HTTP, from a client that has not joined or from a server. */
export function realtimeHandlers(mock: MockBackend) {
  return [
    endpoint(mock, 'post', '/realtime/v1/api/broadcast', ({ body }) => {
      for (const message of Array.isArray(body.messages) ? body.messages.map(recordOf) : [])
        mock.realtime.broadcast(`realtime:${textOf(message.topic)}`, textOf(message.event), recordOf(message.payload));
      return new HttpResponse(null, { status: 202 });
    }),
  ];
}

type Frame = { joinRef: string | null; ref: string | null; topic: string; event: string; payload: Record<string, unknown> };

/** Takes one frame of a client; the address of its socket carries the key. */
export async function takeRealtimeFrame(mock: MockBackend, client: RealtimeClient, data: unknown): Promise<void> {
  const frame = await readFrame(data);
  const { realtime } = mock;
  const reply = (status: 'ok' | 'error', response: Record<string, unknown> = {}) =>
    realtime.send(client, { ...frame, event: 'phx_reply', payload: { status, response } });
  const key = client.url.searchParams.get('apikey');
  if (key !== mock.settings.publishableKey && key !== mock.settings.secretKey) return client.close(4001, 'Invalid API key');
  if (frame.topic === 'phoenix') return reply('ok');
  switch (frame.event) {
    case 'phx_join':
      return join(realtime, client, frame, reply);
    case 'phx_leave':
      realtime.leave(client, frame.topic);
      return reply('ok');
    case 'access_token':
      return;
    case 'presence': {
      const { event, payload } = frame.payload;
      realtime.track(client, frame.topic, textOf(event) === 'track' ? recordOf(payload) : null);
      return reply('ok');
    }
    case 'broadcast': {
      const member = realtime.memberOf(client, frame.topic);
      if (member === undefined) return reply('error', { reason: 'unmatched topic' });
      realtime.broadcast(frame.topic, textOf(frame.payload.event), frame.payload.payload, member.hearsItself ? null : client);
      if (member.wantsAcknowledgement) reply('ok');
      return;
    }
    default:
      return reply('error', { reason: `the mock does not know '${frame.event}'` });
  }
}

function join(
  realtime: MockRealtime,
  client: RealtimeClient,
  frame: Frame,
  reply: (status: 'ok', response: Record<string, unknown>) => void,
): void {
  const { broadcast, presence, postgres_changes: wanted } = recordOf(frame.payload.config);
  const changes = (Array.isArray(wanted) ? wanted.map(recordOf) : []).map((change, place) => ({ ...change, id: place + 1 }));
  realtime.join(client, {
    topic: frame.topic,
    joinRef: frame.joinRef,
    presenceKey: textOf(recordOf(presence).key),
    hearsItself: recordOf(broadcast).self === true,
    wantsAcknowledgement: recordOf(broadcast).ack === true,
    changes,
  });
  reply('ok', { postgres_changes: changes });
  realtime.tellPresence(client, frame.topic);
  if (changes.length === 0) return;
  const payload = { extension: 'postgres_changes', status: 'ok', message: 'Subscribed to PostgreSQL', channel: frame.topic };
  realtime.send(client, { joinRef: frame.joinRef, ref: null, topic: frame.topic, event: 'system', payload });
}

const USER_BROADCAST_PUSH = 3;

/** Serializer 1.0.0 sends objects, 2.0.0 lists, and broadcasts as bytes (realtime-js, lib/serializer.ts). */
async function readFrame(data: unknown): Promise<Frame> {
  if (typeof data === 'string') {
    const value: unknown = JSON.parse(data);
    const [joinRef, ref, topic, event, payload] = Array.isArray(value)
      ? value
      : [recordOf(value).join_ref, recordOf(value).ref, recordOf(value).topic, recordOf(value).event, recordOf(value).payload];
    return { joinRef: joinRef ?? null, ref: ref ?? null, topic: textOf(topic), event: textOf(event), payload: recordOf(payload) };
  }
  const bytes = new Uint8Array(data instanceof Blob ? await data.arrayBuffer() : (data as ArrayBuffer));
  const [kind, joinRefSize = 0, refSize = 0, topicSize = 0, eventSize = 0, metaSize = 0, isJson] = bytes;
  if (kind !== USER_BROADCAST_PUSH || isJson !== 1) throw new Error('the mock reads broadcasts of JSON only');
  let offset = 7;
  const take = (size: number) => {
    offset += size;
    return new TextDecoder().decode(bytes.slice(offset - size, offset));
  };
  const [joinRef, ref, topic, event] = [take(joinRefSize), take(refSize), take(topicSize), take(eventSize)];
  take(metaSize);
  const payload: unknown = JSON.parse(take(bytes.length - offset));
  return { joinRef, ref, topic, event: 'broadcast', payload: { type: 'broadcast', event, payload } };
}
