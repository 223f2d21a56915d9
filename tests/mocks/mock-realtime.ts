/** Who has joined which topic of Realtime, and what they are told. */
import { randomUUID } from 'node:crypto';
import type { Row } from '#tests/mocks/project.ts';

export type RealtimeClient = { id: string; url: URL; send(text: string): void; close(code: number, reason: string): void };
export type RealtimeFrame = { joinRef: string | null; ref: string | null; topic: string; event: string; payload: unknown };
export type TableChange = { table: string; type: 'INSERT' | 'UPDATE' | 'DELETE'; row: Row; before: Row };
type Member = {
  topic: string;
  joinRef: string | null;
  presenceKey: string;
  hearsItself: boolean;
  wantsAcknowledgement: boolean;
  changes: readonly Row[];
};

export class MockRealtime {
  readonly #members = new Map<string, { client: RealtimeClient; member: Member }>();
  readonly #present = new Map<string, { topic: string; key: string; meta: Row }>();

  send(client: RealtimeClient, { joinRef, ref, topic, event, payload }: RealtimeFrame): void {
    const old = client.url.searchParams.get('vsn') === '1.0.0';
    client.send(JSON.stringify(old ? { join_ref: joinRef, ref, topic, event, payload } : [joinRef, ref, topic, event, payload]));
  }

  join(client: RealtimeClient, member: Member): void {
    this.#members.set(placeOf(client, member.topic), { client, member: { ...member, presenceKey: member.presenceKey || randomUUID() } });
  }

  memberOf(client: RealtimeClient, topic: string): Member | undefined {
    return this.#members.get(placeOf(client, topic))?.member;
  }

  leave(client: RealtimeClient, topic: string): void {
    this.track(client, topic, null);
    this.#members.delete(placeOf(client, topic));
  }

  disconnect(client: RealtimeClient): void {
    for (const { client: other, member } of [...this.#members.values()]) if (other.id === client.id) this.leave(client, member.topic);
  }

  broadcast(topic: string, event: string, payload: unknown, except: RealtimeClient | null = null): void {
    this.#tell(topic, 'broadcast', { type: 'broadcast', event, payload }, except);
  }

  tellPresence(client: RealtimeClient, topic: string): void {
    const state: Record<string, { metas: Row[] }> = {};
    for (const { topic: there, key, meta } of this.#present.values())
      if (there === topic) state[key] = { metas: [...(state[key]?.metas ?? []), meta] };
    this.send(client, {
      joinRef: this.memberOf(client, topic)?.joinRef ?? null,
      ref: null,
      topic,
      event: 'presence_state',
      payload: state,
    });
  }

  /** Null: present no longer. */
  track(client: RealtimeClient, topic: string, about: Row | null): void {
    const place = placeOf(client, topic);
    const member = this.#members.get(place)?.member;
    if (member === undefined) return;
    const before = this.#present.get(place);
    const key = member.presenceKey;
    this.#present.delete(place);
    const meta = about === null ? null : { ...about, phx_ref: randomUUID() };
    if (meta !== null) this.#present.set(place, { topic, key, meta });
    if (meta === null && before === undefined) return;
    this.#tell(topic, 'presence_diff', {
      joins: meta === null ? {} : { [key]: { metas: [meta] } },
      leaves: before === undefined ? {} : { [key]: { metas: [before.meta] } },
    });
  }

  tableChanged({ table, type, row, before }: TableChange): void {
    const columns = Object.keys({ ...before, ...row }).map((name) => ({ name, type: 'text' }));
    const data = {
      schema: 'public',
      table,
      type,
      commit_timestamp: new Date().toISOString(),
      columns: columns.map((column) => ({ ...column, type: typeOf({ ...before, ...row }[column.name]) })),
      record: row,
      old_record: before,
      errors: null,
    };
    for (const { client, member } of this.#members.values()) {
      const ids = member.changes.filter((change) => fits(change, { table, type, row, before })).map(({ id }) => id);
      if (ids.length === 0) continue;
      const { topic, joinRef } = member;
      this.send(client, { joinRef, ref: null, topic, event: 'postgres_changes', payload: { ids, data } });
    }
  }

  #tell(topic: string, event: string, payload: unknown, except: RealtimeClient | null = null): void {
    for (const { client, member } of this.#members.values())
      if (member.topic === topic && client.id !== except?.id)
        this.send(client, { joinRef: member.joinRef, ref: null, topic, event, payload });
  }
}

const placeOf = (client: RealtimeClient, topic: string) => `${client.id} ${topic}`;

/** The client converts by the column's type. */
function typeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float8' : typeof value === 'object' && value !== null ? 'jsonb' : 'text';
}

function fits({ event, schema, table, filter }: Row, change: TableChange): boolean {
  const [, column = '', wanted] = /^(\w+)=eq\.(.*)$/s.exec(String(filter ?? '')) ?? [];
  const row = change.type === 'DELETE' ? change.before : change.row;
  return (
    (event === '*' || event === change.type) &&
    (schema === '*' || schema === 'public') &&
    (table === undefined || table === '*' || table === change.table) &&
    (wanted === undefined || String(row[column]) === wanted)
  );
}
