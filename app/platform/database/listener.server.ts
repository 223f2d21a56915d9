import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#app/contracts/ports.ts';

type Subscription = { onMessage: (payload: string) => void; onGap: (() => void) | undefined };

export type Listener = {
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

const RECONNECT_DELAYS_MS = [50, 200, 1_000, 5_000];

/** One connection for all notifications of the process, opened at the first subscription and again whenever it is lost. */
export function openListener(config: pg.ClientConfig, log: Log): Listener {
  const channels = new Map<string, Set<Subscription>>();
  let connected: Promise<pg.Client> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(config);
    let gone = false;
    const lost = () => {
      if (gone) return;
      gone = true;
      connected = undefined;
      if (!closed && channels.size > 0) void reconnect();
    };
    client.on('notification', (message) => {
      for (const subscription of channels.get(message.channel) ?? []) subscription.onMessage(message.payload ?? '');
    });
    client.on('error', () => undefined);
    await client.connect();
    client.on('end', lost);
    for (const channel of channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return client;
  }

  function ensureConnected(): Promise<pg.Client> {
    if (!connected) {
      const attempt = connect();
      connected = attempt;
      attempt.catch(() => {
        if (connected === attempt) connected = undefined;
      });
    }
    return connected;
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 0; !closed && channels.size > 0; attempt += 1) {
      await delay(RECONNECT_DELAYS_MS[Math.min(attempt, RECONNECT_DELAYS_MS.length - 1)]);
      if (closed) return;
      try {
        await ensureConnected();
        for (const subscriptions of channels.values()) for (const subscription of subscriptions) subscription.onGap?.();
        return;
      } catch (error) {
        log.warn('notifications of the database are interrupted', { reason: error instanceof Error ? error.message : 'unknown' });
      }
    }
  }

  return {
    async listen(channel, onMessage, onGap) {
      const subscription: Subscription = { onMessage, onGap };
      const subscriptions = channels.get(channel) ?? new Set();
      channels.set(channel, subscriptions.add(subscription));
      try {
        const client = await ensureConnected();
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      } catch (error) {
        subscriptions.delete(subscription);
        throw error;
      }
      return async () => {
        subscriptions.delete(subscription);
        if (subscriptions.size > 0 || channels.get(channel) !== subscriptions) return;
        channels.delete(channel);
        const client = await connected?.catch(() => undefined);
        await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    async close() {
      closed = true;
      const client = await connected?.catch(() => undefined);
      await client?.end();
    },
  };
}
