import type { Selectable } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { WatcherFault, WatchersTable } from '#app/contracts/tables.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { policyText } from '#app/domain/proof/policy-text.ts';
import { type ProofSettings, proofSettingsSchema } from '#app/domain/proof/proof-settings.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';

/** Times are ISO 8601. `size`: entries of the newest head that it signed; null: none yet. `fault` null: it signed the last one. */
export type WatcherState = {
  name: string;
  address: string;
  size: number | null;
  signedAt: string | null;
  askedAt: string | null;
  fault: WatcherFault | null;
};

/** Who watches the log from outside, with their last word, and what an outsider needs to check it. For auditors and admins. */
export async function loadProof(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'readAuditLog');
  const { engine, origin } = context.get(servicesContext);
  const mayConfigure = can(member.roles, 'manageMembers');
  const found = await read((db) => readProof(db, member.workspace.id, mayConfigure));
  const key = vkey(engine.signer.name, engine.signer.publicKey, sha256);
  return {
    newest: found.newest,
    settings: found.settings,
    witnesses: found.settings.witnesses.map(({ key: party, url }) => stateOf(found.watchers, party, party.split('+')[0] ?? '', url)),
    authority:
      found.settings.authority === null ? null : stateOf(found.watchers, found.settings.authority.url, '', found.settings.authority.url),
    /** Entries of the newest head that enough witnesses have signed; null: none. */
    witnessedSize: found.witnessedSize,
    policy: policyText(key, found.settings),
    address: `${origin}/log/${member.workspace.id}`,
    mayConfigure,
    secondPersonAgrees: found.secondPersonAgrees,
  };
}
export type LoadedProof = Awaited<ReturnType<typeof loadProof>>;

function stateOf(watchers: readonly WatcherRow[], party: string, name: string, address: string): WatcherState {
  const row = watchers.find((one) => one.party === party);
  return {
    name,
    address,
    size: row?.size ?? null,
    signedAt: row?.signed_at?.toISOString() ?? null,
    askedAt: row?.asked_at.toISOString() ?? null,
    fault: row?.fault ?? null,
  };
}

type WatcherRow = Pick<Selectable<WatchersTable>, 'party' | 'size' | 'signed_at' | 'asked_at' | 'fault'>;

async function readProof(db: Db, workspaceId: string, mayConfigure: boolean) {
  const { proof } = await db.selectFrom('quorate.workspaces').select('proof').where('id', '=', workspaceId).executeTakeFirstOrThrow();
  const settings = proofSettingsSchema.parse(proof);
  const newest = await db
    .selectFrom('quorate.checkpoints')
    .select(['size', 'root', 'signed_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    settings,
    newest: newest === undefined ? null : { size: newest.size, root: hex(newest.root), signedAt: newest.signed_at.toISOString() },
    watchers: await db
      .selectFrom('quorate.watchers')
      .select(['party', 'size', 'signed_at', 'asked_at', 'fault'])
      .where('workspace_id', '=', workspaceId)
      .execute(),
    witnessedSize: await readWitnessedSize(db, workspaceId, settings),
    secondPersonAgrees: mayConfigure && (await secondPersonAgrees(db)),
  };
}

async function readWitnessedSize(db: Db, workspaceId: string, { quorum, witnesses }: ProofSettings): Promise<number | null> {
  if (quorum === 0) return null;
  const keys = witnesses.map(({ key }) => key);
  const row = await db
    .selectFrom('quorate.cosignatures')
    .select('size')
    .where('workspace_id', '=', workspaceId)
    .where('witness', 'in', keys)
    .groupBy('size')
    .having((eb) => eb(eb.fn.count<number>('witness'), '>=', quorum))
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.size ?? null;
}
