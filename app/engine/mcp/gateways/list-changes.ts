import type { ServerEventBus } from '@modelcontextprotocol/server';
import { AppError } from '#app/domain/errors.ts';
import type { GatewayServing } from '#app/engine/mcp/gateways/open-gateway.ts';
import { readGatewayMark } from '#app/engine/serving/served-gateway.ts';

/** Streams of one key that this process holds open. Further ones are refused. */
const MOST_STREAMS = 50;
const STREAM_SECONDS = 60;
const open = new Map<string, number>();

/**
 * Calls `onChange` whenever the list of a gateway's tools may be another one than when this was called, until the returned function is.
 * @throws AppError over_limit where the key has too many open already
 */
export async function watchList({ caller, deps }: Pick<GatewayServing, 'caller' | 'deps'>, gateway: string) {
  const key = caller.key.id;
  if ((open.get(key) ?? 0) >= MOST_STREAMS) throw new AppError('over_limit', { values: { seconds: STREAM_SECONDS } });
  let seen = await caller.read((db) => readGatewayMark(db, gateway));
  return (onChange: () => void): (() => void) => {
    open.set(key, (open.get(key) ?? 0) + 1);
    const unwatch = deps.engine.watchGateway({ id: gateway }, (mark) => {
      if (mark === seen) return;
      seen = mark;
      onChange();
    });
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      unwatch();
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    };
  };
}

/** The notices of a gateway to a `subscriptions/listen` of 2026-07-28. */
export async function listChanges(serving: GatewayServing, gateway: string): Promise<ServerEventBus> {
  const watch = await watchList(serving, gateway);
  return {
    publish: () => undefined,
    subscribe: (listener) => watch(() => listener({ kind: 'tools_list_changed' })),
  };
}
