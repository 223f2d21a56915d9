import { sql } from 'kysely';
import { type CompanyProvider, type SamlKey, type SamlProvider, samlSettingsSchema } from '#app/contracts/company-sign-in.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Sealer } from '#app/contracts/ports.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import type { ClaimNames } from '#app/domain/people/company-sign-in.ts';
import { providerSealContext, samlSealContext } from '#app/engine/commands/sign-in/provider-input.ts';

/** Of SAML all but the address that answers come in at. */
type Called = ({ protocol: 'oidc' } & CompanyProvider) | ({ protocol: 'saml' } & Omit<SamlProvider, 'acs'>);

/** A provider with all that a sign-in needs. `counts`: it is turned on. */
export type ReadProvider = {
  id: string;
  name: string;
  workspace: { id: string; name: string };
  called: Called;
  names: ClaimNames;
  emailsVerified: boolean;
  counts: boolean;
};

type Row = {
  workspace_id: string;
  workspace_name: string;
  private_network: unknown;
  name: string;
  issuer: string;
  client_id: string;
  sealed_secret: Uint8Array | null;
  email_claim: string;
  name_claim: string;
  groups_claim: string;
  emails_verified: boolean;
  saml: unknown;
  counts: boolean;
};

/** The provider of this id, or null. Needs a transaction as nobody. */
export async function readProvider(db: Db, sealer: Sealer, id: string): Promise<ReadProvider | null> {
  const { rows } = await sql<Row>`select * from quorate.company_provider(${id}::uuid)`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    id,
    name: row.name,
    workspace: { id: row.workspace_id, name: row.workspace_name },
    called: await calledBy(db, sealer, id, row),
    names: { email: row.email_claim, name: row.name_claim, groups: row.groups_claim },
    emailsVerified: row.emails_verified,
    counts: row.counts,
  };
}

async function calledBy(db: Db, sealer: Sealer, id: string, row: Row): Promise<Called> {
  const { issuer, client_id: clientId, sealed_secret: sealed } = row;
  if (sealed === null)
    return {
      protocol: 'saml',
      issuer,
      entityId: clientId,
      settings: samlSettingsSchema.parse(row.saml),
      keys: await readSamlKeys(db, sealer, row.workspace_id),
    };
  const secret = sealer.open(sealed, providerSealContext(id));
  return { protocol: 'oidc', issuer, clientId, secret, network: readWorkspaceNetwork(row.private_network) };
}

type KeyRow = { id: string; state: string; certificate: string; sealed_key: Uint8Array };
/** In the order of use: what signs, what will, what did. */
const STATES = ['current', 'next', 'former'];

async function keyRows(db: Db, workspaceId: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`select * from quorate.company_saml_keys(${workspaceId}::uuid)`.execute(db);
  return rows.toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
}

async function readSamlKeys(db: Db, sealer: Sealer, workspaceId: string): Promise<SamlKey[]> {
  const rows = await keyRows(db, workspaceId);
  return rows.map((row) => ({ certificate: row.certificate, key: sealer.open(row.sealed_key, samlSealContext(row.id)) }));
}

/** The certificates that our metadata names: the one in use first, then the one that will be. */
export async function publishedCertificates(db: Db, workspaceId: string): Promise<string[]> {
  return (await keyRows(db, workspaceId)).filter(({ state }) => state !== 'former').map(({ certificate }) => certificate);
}

/** Where people of a domain, or of a workspace, sign in: names for the button, nothing else. */
export type Realm = { provider: string; providerName: string; workspaceName: string };

type RealmRow = { provider_id: string; provider_name: string; workspace_name: string };
const realmOf = (row: RealmRow | undefined): Realm | null =>
  row === undefined ? null : { provider: row.provider_id, providerName: row.provider_name, workspaceName: row.workspace_name };

export async function realmOfDomain(db: Db, domain: string): Promise<Realm | null> {
  return realmOf((await sql<RealmRow>`select * from quorate.company_realm(${domain})`.execute(db)).rows[0]);
}

export async function realmOfWorkspace(db: Db, workspaceId: string): Promise<Realm | null> {
  return realmOf((await sql<RealmRow>`select * from quorate.company_provider_of(${workspaceId}::uuid)`.execute(db)).rows[0]);
}

/** Ids of the providers of a workspace that have this issuer, the newest first. */
export async function providersNamed(db: Db, workspaceId: string, issuer: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select quorate.company_provider_named(${workspaceId}::uuid, ${issuer}) as id`.execute(db);
  return rows.map(({ id }) => id);
}
