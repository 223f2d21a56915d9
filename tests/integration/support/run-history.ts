import type pg from 'pg';

export type History = {
  workspaceId: string;
  initiatorId: string;
  artifactId: string;
  versionId: string;
  tool: { connectionId: string; capabilityId: string };
  agent: { connectionId: string; capabilityId: string };
  runs: number;
  days: number;
  until: Date;
};

/**
 * A workspace's past, made by the database: runs evenly over the days, each with a tool, an agent and an approval step and
 * a decision before each call; every eleventh failed, every twentieth a test. Inside a transaction that has its audit event.
 */
export async function insertHistory(client: pg.ClientBase, history: History): Promise<void> {
  const { workspaceId, initiatorId, artifactId, versionId, tool, agent, runs, days, until } = history;
  await client.query(
    `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, created_at, started_at, finished_at, waiting_ms, journal_hash)
     select gen_random_uuid(), $1, $2, $3, case when n % 20 = 0 then 'test' else 'live' end, $4,
       case when n % 11 = 0 then 'failed' when n % 17 = 0 then 'cancelled' else 'completed' end, at, at + interval '20 ms',
       at + interval '20 ms' + make_interval(secs => 1 + n % 7) + make_interval(secs => case when n % 4 = 0 then 600 else 0 end), case when n % 4 = 0 then 600000 else 0 end, 'hash'
     from generate_series(1, $5::int) n cross join lateral (select $6::timestamptz - n * (make_interval(days => $7::int) / $5::int) as at) x`,
    [workspaceId, artifactId, versionId, initiatorId, runs, until, days],
  );
  const candidates = (name: string, id: string) =>
    JSON.stringify([
      {
        capabilityId: id,
        connectionId: id,
        name,
        connection: 'Peer',
        protocol: 'mcp',
        score: 0.82,
        parts: { skill: 1, health: 0.8, latency: 0.4, price: 0.5 },
        excluded: null,
        chosen: true,
      },
      {
        capabilityId: artifactId,
        connectionId: id,
        name: 'profile_csv',
        connection: 'Peer',
        protocol: 'mcp',
        score: 0.41,
        parts: { skill: 0.3, health: 0.8, latency: 0.4, price: 0.5 },
        excluded: null,
        chosen: false,
      },
      {
        capabilityId: versionId,
        connectionId: id,
        name: 'send_mail',
        connection: 'Mailer',
        protocol: 'mcp',
        score: null,
        parts: null,
        excluded: { key: 'candidatePending', values: {} },
        chosen: false,
      },
    ]);
  const step = `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol, connection_id, capability_id, candidates, reason, error, started_at, finished_at)
     select r.id, r.workspace_id, $2, $2, $3, $4, case when r.status = 'failed' and $2 = 'assess' then 'error' else 'success' end, case when r.waiting_ms > 0 then 2 else 1 end, 1, r.id || $2, $5, $6::uuid, $7::uuid, $8::jsonb,
       jsonb_build_object('key', 'routeBest', 'values', jsonb_build_object('capability', $4::text, 'connection', 'Peer', 'score', 82, 'eligible', 2, 'tookMs', 0.042)),
       case when r.status = 'failed' and $2 = 'assess' then '{"key":"peerTimeout","values":{"seconds":30}}'::jsonb end,
       r.started_at + make_interval(secs => $9), r.started_at + make_interval(secs => $9 + $10)
     from quorate.runs r where r.workspace_id = $1`;
  await client.query(step, [
    workspaceId,
    'detect',
    'tool',
    'detect_personal_data',
    'mcp',
    tool.connectionId,
    tool.capabilityId,
    candidates('detect_personal_data', tool.capabilityId),
    0.1,
    0.3,
  ]);
  await client.query(step, [
    workspaceId,
    'assess',
    'agent',
    'assess_obligations',
    'a2a',
    agent.connectionId,
    agent.capabilityId,
    candidates('assess_obligations', agent.capabilityId),
    0.5,
    0.9,
  ]);
  await client.query(
    `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest, policy_version, decided_at)
     select gen_random_uuid(), s.workspace_id, s.run_id, s.path, 1, 'call_tool', case when s.error is null then 'allow' else 'deny' end,
       case when s.error is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('policyId', $2::text, 'policyName', 'Personal data', 'version', 1, 'rule', 'leaves', 'verdict', 'deny')) end,
       jsonb_build_object('key', 'policyAllowed', 'values', jsonb_build_object('capability', s.name, 'connection', 'peer')), jsonb_build_object('capability', s.name, 'risk', 'low', 'personalData', '[]'::jsonb), 'digest', 'version', s.started_at
     from quorate.steps s where s.workspace_id = $1`,
    [workspaceId, artifactId],
  );
}

/** Entries of the log by these people, spread over the same days, as many transactions of the past left them. */
export async function insertLog(
  owner: pg.Pool,
  history: Pick<History, 'workspaceId' | 'days' | 'until'> & { people: string[]; entries: number },
): Promise<void> {
  const { workspaceId, people, entries, until, days } = history;
  const client = await owner.connect();
  try {
    await client.query('begin');
    // The rule of one entry a transaction is for those that happen, not for a past that is made up.
    await client.query('alter table quorate.audit_events disable trigger audited');
    await client.query(
      `insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, at, xid)
       select gen_random_uuid(), $1, 'member', ($2::uuid[])[1 + n % array_length($2::uuid[], 1)], 'Test Person', 'test.arranged', 'workspace', 'w', $3::timestamptz - n * (make_interval(days => $4::int) / $5::int), (1000000000000 + n)::text::xid8
       from generate_series(1, $5::int) n`,
      [workspaceId, people, until, days, entries],
    );
    await client.query('alter table quorate.audit_events enable trigger audited');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
