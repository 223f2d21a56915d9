/** One row for each status of runs, steps, approvals, connections, workflows, invitations and keys, beside the demo workspace's own. */
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { v7 as newId } from 'uuid';

type People = { builder: string; approver: string; admin: string };
type Row = Record<string, unknown>;

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const reason = (key: string, values: Record<string, string | number> = {}) => JSON.stringify({ key, values });

export async function makeEveryState(owner: pg.Pool, people: People): Promise<void> {
  const { rows } = await owner.query<{ workspace: string; artifact: string; version: string }>(
    `select a.workspace_id as workspace, a.id as artifact, a.published_version_id as version from quorate.artifacts a
     where a.kind = 'workflow' and a.published_version_id is not null order by a.name limit 1`,
  );
  const [ground] = rows;
  if (ground === undefined) throw new Error('the fixtures have no published workflow');
  const { workspace } = ground;
  const client = await owner.connect();
  const insert = async (table: string, row: Row) => {
    const columns = Object.keys(row);
    await client.query(
      `insert into quorate.${table} (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  try {
    await client.query('begin');
    for (const row of [...workflows(workspace, people), ...connections(workspace, people)]) await insert(row.table, row.values);
    for (const row of runs(ground, people)) await insert(row.table, row.values);
    for (const row of invitationsAndKeys(workspace, people)) await insert(row.table, row.values);
    await insert('audit_events', {
      id: newId(),
      workspace_id: workspace,
      actor_kind: 'system',
      action: 'workspace.created',
      resource_kind: 'workspace',
      resource_id: workspace,
      resource_name: 'Fixtures of every state',
      salt: randomBytes(32),
    });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

type Wanted = { table: string; values: Row };

function workflows(workspace: string, { builder }: People): Wanted[] {
  return (['inactive', 'pending'] as const).map((status) => ({
    table: 'artifacts',
    values: { id: newId(), workspace_id: workspace, kind: 'workflow', name: `A workflow that is ${status}`, owner_id: builder, status },
  }));
}

function connections(workspace: string, { builder }: People): Wanted[] {
  return (['mcp', 'a2a'] as const).flatMap((kind) =>
    (['pending', 'connected', 'disconnected', 'error'] as const).map((status) => ({
      table: 'connections',
      values: {
        id: newId(),
        workspace_id: workspace,
        kind,
        name: `${kind === 'mcp' ? 'Plugin' : 'Agent'} that is ${status}`,
        slug: `${kind}-${status}`,
        endpoint: `https://${status}.peers.invalid/${kind}`,
        status,
        owner_id: builder,
        last_check_at: status === 'pending' ? null : hoursAgo(1),
        last_error: status === 'error' ? reason('peerUnreachable', { host: `${status}.peers.invalid` }) : null,
      },
    })),
  );
}

function runs({ workspace, artifact, version }: { workspace: string; artifact: string; version: string }, { builder }: People): Wanted[] {
  const wanted: Wanted[] = [];
  const run = (status: string, hours: number, more: Row = {}): string => {
    const id = newId();
    const ended = ['completed', 'failed', 'cancelled'].includes(status);
    wanted.push({
      table: 'runs',
      values: {
        id,
        workspace_id: workspace,
        artifact_id: artifact,
        version_id: version,
        mode: 'live',
        initiator_id: builder,
        status,
        input: JSON.stringify({ fixture: status }),
        created_at: hoursAgo(hours),
        started_at: status === 'pending' ? null : hoursAgo(hours),
        finished_at: ended ? hoursAgo(hours - 0.1) : null,
        waiting_since: status === 'waiting' ? hoursAgo(hours) : null,
        ...more,
      },
    });
    return id;
  };
  const step = (runId: string, status: string, more: Row = {}) =>
    wanted.push({
      table: 'steps',
      values: {
        run_id: runId,
        workspace_id: workspace,
        path: `step-${status}`,
        step_id: `step-${status}`,
        kind: 'tool',
        name: `A step that is ${status}`,
        status,
        run_attempt: 1,
        idempotency_key: newId(),
        finished_at: ['success', 'error', 'skipped'].includes(status) ? hoursAgo(1) : null,
        ...more,
      },
    });
  const decision = (runId: string, verdict: string, key: string) =>
    wanted.push({
      table: 'decisions',
      values: {
        id: newId(),
        workspace_id: workspace,
        run_id: runId,
        step_path: 'step-success',
        attempt: 1,
        action: 'tool.call',
        verdict,
        reason: reason(key),
        action_digest: digestOf(verdict),
        policy_version: digestOf('policies'),
      },
    });
  const approval = (runId: string, status: string) =>
    wanted.push({
      table: 'approvals',
      values: {
        id: newId(),
        workspace_id: workspace,
        run_id: runId,
        step_path: `approval-${status}`,
        title: `An approval that is ${status}`,
        subject: JSON.stringify({ workspace, run: runId, step: `approval-${status}`, input: { amount: 125_000, currency: 'EUR' } }),
        action_digest: digestOf(`${runId} ${status}`),
        reason: reason('policyHighRiskNeedsApprover'),
        risk: status === 'pending' ? 'high' : 'medium',
        status,
        requested_by: builder,
        version_author_id: builder,
        due_at: status === 'expired' ? hoursAgo(1) : hoursAgo(-24),
        decided_at: status === 'pending' ? null : hoursAgo(1),
        consumed_at: status === 'consumed' ? hoursAgo(1) : null,
      },
    });

  const completed = run('completed', 30, { output: JSON.stringify({ accepted: true }) });
  for (const status of ['success', 'skipped']) step(completed, status);
  for (const [verdict, key] of [
    ['allow', 'policyAllowed'],
    ['warn', 'policyPersonalDataLeaves'],
    ['deny', 'policyCapabilityPending'],
  ] as const)
    decision(completed, verdict, key);
  const failed = run('failed', 26, { error: reason('peerTimeout') });
  step(failed, 'error', { error: reason('peerTimeout') });
  run('cancelled', 20);
  run('pending', 0.2);
  const waiting = run('waiting', 2);
  step(waiting, 'waiting');
  for (const status of ['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed'])
    approval(status === 'pending' ? waiting : completed, status);
  return wanted;
}

function invitationsAndKeys(workspace: string, { admin, builder }: People): Wanted[] {
  const states: Record<string, Row> = {
    open: { expires_at: hoursAgo(-72) },
    expired: { expires_at: hoursAgo(1) },
    accepted: { expires_at: hoursAgo(-72), accepted_at: hoursAgo(1) },
    declined: { expires_at: hoursAgo(-72), declined_at: hoursAgo(1) },
    withdrawn: { expires_at: hoursAgo(-72), withdrawn_at: hoursAgo(1) },
  };
  const keys: Record<string, Row> = { active: {}, expired: { expires_at: hoursAgo(1) }, revoked: { revoked_at: hoursAgo(1) } };
  return [
    ...Object.entries(states).map(([state, values]) => ({
      table: 'invitations',
      values: {
        id: newId(),
        workspace_id: workspace,
        email: `${state}@guests.invalid`,
        roles: ['user'],
        token_hash: randomBytes(32),
        invited_by: admin,
        ...values,
      },
    })),
    ...Object.entries(keys).map(([state, values]) => ({
      table: 'api_keys',
      values: {
        id: newId(),
        workspace_id: workspace,
        user_id: builder,
        name: `A key that is ${state}`,
        prefix: `qk_${state}`,
        key_hash: randomBytes(32),
        scopes: ['runs:read', 'runs:start'],
        ...values,
      },
    })),
  ];
}
