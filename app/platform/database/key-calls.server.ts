import type pg from 'pg';
import type { Json } from '#app/contracts/json.ts';
import { API_KEY_SCOPES, type ApiKeyScope, type Plan, ROLES, type Role } from '#app/contracts/people.ts';
import type { PlainStart, ServedRun } from '#app/contracts/runs.ts';
import type { ClaimAnswer } from '#app/domain/runs/claim.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';

/** Runs one statement in a transaction of its own. */
type Single = (statement: { name: string; text: string; values: unknown[] }) => Promise<pg.QueryResult>;

export type OpenedCall = {
  keyId: string;
  name: string;
  userId: string;
  userName: string;
  workspace: { id: string; name: string; slug: string; plan: Plan; trialEndsAt: Date | null; settings: Json };
  roles: Role[];
  scopes: ApiKeyScope[];
  expiresAt: Date | null;
  /** The address that a client's token was made out for; null for a key. */
  resource: string | null;
  /** The networks (CIDR) that it may be used from; none: from everywhere. */
  networks: string[];
  /** Seconds until the key may call again; 0: it may now. */
  waitSeconds: number;
  /** Digest of the workflows in force; null where it was not asked for. */
  servedRevision: string | null;
};

export type KeyCalls = {
  /**
   * The caller of this key, counted against the key's pace: in calls a minute, `usual` where the workspace has chosen none, and never over
   * `ceiling`. `serves`: with the digest of the workflows in force. AppError as `asKey`.
   */
  openCall(keyHash: Uint8Array, call: { usual: number; ceiling: number; serves: boolean }): Promise<OpenedCall>;
  /** A run as this key may see it, or null. AppError as `asKey`. */
  readRunByKey(keyHash: Uint8Array, runId: string): Promise<ServedRun | null>;
  /**
   * Starts a live run where nothing is in its way. Null: nothing was written, and the long way says why. `worker` claims it, up to `ceiling`
   * runs of the workspace at once, as `RunStore.claim`; without one it is queued. AppError as `asKey`.
   */
  startRunByKey(
    keyHash: Uint8Array,
    start: PlainStart & {
      runId: string;
      event: { id: string; payload: string; salt: Uint8Array };
      worker: { id: string; ceiling: number | null } | null;
    },
  ): Promise<{ createdAt: Date; number: number; claimed: ClaimAnswer | null } | null>;
};

export function createKeyCalls(single: Single): KeyCalls {
  return {
    async openCall(keyHash, { usual, ceiling, serves }) {
      const text = 'select * from quorate.open_call($1, $2, $3, $4)';
      const { rows } = await single({ name: 'open_call', text, values: [Buffer.from(keyHash), usual, ceiling, serves] });
      const row = rows[0];
      return {
        keyId: row.key_id,
        name: row.key_name,
        userId: row.user_id,
        userName: row.user_name,
        workspace: {
          id: row.workspace_id,
          name: row.workspace_name,
          slug: row.slug,
          plan: row.plan,
          trialEndsAt: row.trial_ends_at,
          settings: row.settings,
        },
        roles: rolesOf(row.roles),
        scopes: scopesOf(row.scopes),
        expiresAt: row.expires_at,
        resource: row.resource,
        networks: row.networks,
        waitSeconds: row.wait,
        servedRevision: row.revision,
      };
    },
    async readRunByKey(keyHash, runId) {
      const text = 'select * from quorate.read_run_by_key($1, $2)';
      const { rows } = await single({ name: 'read_run_by_key', text, values: [Buffer.from(keyHash), runId] });
      const row = rows[0];
      if (row === undefined) return null;
      return {
        id: row.id,
        number: row.number,
        subject: readSubject(row.subject),
        workflowId: row.workflow_id,
        workflow: row.workflow,
        status: row.status,
        mode: row.mode,
        input: row.input,
        output: row.output,
        error: row.error,
        requestKey: row.request_key,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        finishedAt: row.finished_at,
        ask: row.asks === null ? null : { what: row.asks, id: row.asked_id },
      };
    },
    async startRunByKey(keyHash, { runId, event, worker, ...start }) {
      const { artifactId, versionId, triggerKind, input, subject, requestKey, name, room, place, belowQuota } = start;
      const { rows } = await single({
        name: 'start_run_by_key',
        text: 'select * from quorate.start_run_by_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)',
        values: [
          Buffer.from(keyHash),
          runId,
          artifactId,
          versionId,
          triggerKind,
          JSON.stringify(input),
          requestKey,
          room,
          belowQuota?.since ?? null,
          belowQuota?.below ?? null,
          place,
          event.id,
          name,
          event.payload,
          Buffer.from(event.salt),
          worker?.id ?? null,
          worker?.ceiling ?? null,
          subject === null ? null : JSON.stringify(subject),
        ],
      });
      const row = rows[0];
      if (row === undefined) return null;
      const { created_at: createdAt, number, claim, granted, limited } = row;
      return { createdAt, number, claimed: worker === null ? null : { claim, granted, limited } };
    },
  };
}

export function rolesOf(value: unknown): Role[] {
  return ROLES.filter((role) => Array.isArray(value) && value.includes(role));
}

/** Scopes that this release knows. */
function scopesOf(value: unknown): ApiKeyScope[] {
  return API_KEY_SCOPES.filter((scope) => Array.isArray(value) && value.includes(scope));
}
