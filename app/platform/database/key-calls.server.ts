import type pg from 'pg';
import { API_KEY_SCOPES, type ApiKeyScope } from '#app/domain/api-key-scopes.ts';
import { ROLES, type Role } from '#app/domain/roles.ts';
import type { ServedRun } from '#app/domain/served-run.ts';

/** Runs one statement in a transaction of its own. */
type Single = (statement: { text: string; values: unknown[] }) => Promise<pg.QueryResult>;

export type OpenedCall = {
  keyId: string;
  name: string;
  userId: string;
  userName: string;
  workspace: { id: string; name: string; slug: string };
  roles: Role[];
  scopes: ApiKeyScope[];
  expiresAt: Date | null;
  /** Seconds until the key may call again; 0: it may now. */
  waitSeconds: number;
  /** Digest of the workflows in force; null where it was not asked for. */
  servedRevision: string | null;
};

export type KeyCalls = {
  /**
   * Who calls by this key, counted against the key's pace: in calls a minute, `usual` where the workspace has chosen none, and never over
   * `ceiling`. `serves`: with the digest of the workflows in force. AppError as `asKey`.
   */
  openCall(keyHash: Uint8Array, call: { usual: number; ceiling: number; serves: boolean }): Promise<OpenedCall>;
  /** A run as this key may see it, or null. AppError as `asKey`. */
  readRunByKey(keyHash: Uint8Array, runId: string): Promise<ServedRun | null>;
};

export function createKeyCalls(single: Single): KeyCalls {
  return {
    async openCall(keyHash, { usual, ceiling, serves }) {
      const text = 'select * from quorate.open_call($1, $2, $3, $4)';
      const { rows } = await single({ text, values: [Buffer.from(keyHash), usual, ceiling, serves] });
      const row = rows[0];
      return {
        keyId: row.key_id,
        name: row.key_name,
        userId: row.user_id,
        userName: row.user_name,
        workspace: { id: row.workspace_id, name: row.workspace_name, slug: row.slug },
        roles: rolesOf(row.roles),
        scopes: scopesOf(row.scopes),
        expiresAt: row.expires_at,
        waitSeconds: row.wait,
        servedRevision: row.revision,
      };
    },
    async readRunByKey(keyHash, runId) {
      const { rows } = await single({ text: 'select * from quorate.read_run_by_key($1, $2)', values: [Buffer.from(keyHash), runId] });
      const row = rows[0];
      if (row === undefined) return null;
      return {
        id: row.id,
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
        asks: row.asks,
        approvalId: row.approval_id,
      };
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
