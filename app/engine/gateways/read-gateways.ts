import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';

/**
 * A gateway as the people of its workspace see it. `roles` and `groups` (ids) empty: for everyone who may start runs. `programs`: API keys
 * (`key:<id>`) and clients that people have let in (`client:<id>`), whose calls alone it takes; empty: those of any program.
 */
export type Gateway = {
  id: string;
  name: string;
  description: string;
  address: string;
  status: ArtifactStatus;
  roles: Role[];
  /** How many of its calls are driven at once; null: any number. */
  callsAtOnce: number | null;
  groups: string[];
  programs: string[];
  /** Of all callers together, and of one key or client; null: any number. */
  callsAMinute: number | null;
  callerCallsAMinute: number | null;
  tools: number;
};

/** `state`: `changed` and `gone` tools are served no longer. */
export type GatewayTool = {
  id: string;
  name: string;
  description: string;
  fixed: { [name: string]: string };
  capabilityId: string;
  capability: string;
  title: string;
  connection: string;
  connectionId: string;
  connectionName: string;
  state: 'served' | 'changed' | 'gone';
};

const gateways = (db: Db) =>
  db
    .selectFrom('quorate.gateways as g')
    .innerJoin('quorate.artifacts as a', 'a.id', 'g.artifact_id')
    .where('a.deleted_at', 'is', null)
    .select((eb) => [
      'a.id',
      'a.name',
      'a.description',
      'g.address',
      'a.status',
      'g.roles',
      'a.runs_at_once as callsAtOnce',
      'g.groups',
      'g.keys',
      'g.clients',
      'g.calls_a_minute as callsAMinute',
      'g.caller_calls_a_minute as callerCallsAMinute',
      eb
        .selectFrom('quorate.gateway_tools as t')
        .whereRef('t.gateway_id', '=', 'g.artifact_id')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('tools'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof gateways>['execute']>>[number];
const gatewayOf = ({ tools, roles, keys, clients, ...row }: Row): Gateway => ({
  ...row,
  roles: roles as Role[],
  programs: [...keys.map((key) => `key:${key}`), ...clients.map((client) => `client:${client}`)],
  tools: Number(tools ?? 0),
});

/** Of one workspace. */
export const MOST_GATEWAYS = 50;

/** All gateways of the workspace, by name. */
export async function listGateways(db: Db): Promise<Gateway[]> {
  return (await gateways(db).orderBy('a.name').orderBy('a.id').limit(MOST_GATEWAYS).execute()).map(gatewayOf);
}

/** @throws AppError not_found */
export async function readGateway(db: Db, id: string): Promise<Gateway> {
  const row = await gateways(db).where('a.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return gatewayOf(row);
}

/** Groups, keys and clients that a gateway can be for. `value`: as in `Gateway`; `owner`: the member whose key it is. */
export type GatewayCaller = { kind: 'group' | 'key' | 'client'; value: string; name: string; owner: string | null };

/** All that there are now in the workspace; nothing for whoever keeps no gateways. */
export async function listGatewayCallers(db: Db): Promise<GatewayCaller[]> {
  const { rows } = await sql<GatewayCaller>`select * from quorate.list_gateway_callers() order by kind, name`.execute(db);
  return rows.map((row) => (row.kind === 'group' ? row : { ...row, value: `${row.kind}:${row.value}` }));
}

/** The tools of a gateway, by the name that callers see. */
export async function listGatewayTools(db: Db, gateway: string): Promise<GatewayTool[]> {
  const rows = await db
    .selectFrom('quorate.gateway_tools as t')
    .innerJoin('quorate.capabilities as c', 'c.id', 't.capability_id')
    .innerJoin('quorate.connections as n', 'n.id', 'c.connection_id')
    .where('t.gateway_id', '=', gateway)
    .select([
      't.id',
      't.name',
      't.description',
      't.fixed',
      't.fingerprint',
      'c.id as capabilityId',
      'c.name as capability',
      'c.title',
      'c.fingerprint as now',
      'c.approved_fingerprint as approved',
      'c.removed_at as removedAt',
      'n.id as connectionId',
      'n.slug as connection',
      'n.name as connectionName',
      'n.deleted_at as deletedAt',
    ])
    .orderBy('t.name')
    .execute();
  return rows.map(({ fingerprint, now, approved, removedAt, deletedAt, title, ...row }) => {
    const gone = removedAt !== null || deletedAt !== null;
    const served = now === fingerprint && approved === fingerprint;
    return { ...row, title: title === '' ? row.capability : title, state: gone ? 'gone' : served ? 'served' : 'changed' };
  });
}
