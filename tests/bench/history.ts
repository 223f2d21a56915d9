/**
 * A long past of one workspace, made by its database: runs with journals, decisions, approvals, a log, notifications and
 * deliveries, many members, workflows and connections. What screens and plans are measured on.
 */
import type pg from 'pg';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/** `items`: of one loop, in the newest run that completed. */
export type HistorySize = {
  runs: number;
  events: number;
  workflows: number;
  connections: number;
  members: number;
  days: number;
  items: number;
};
export const WHOLE_HISTORY: HistorySize = {
  runs: 100_000,
  events: 1_000_000,
  workflows: 300,
  connections: 220,
  members: 250,
  days: 360,
  items: 10_000,
};

/** Who is at hand to look at it afterwards: a member without any role but the first, whose password is another member's. */
export type History = { workspaceId: string; plainUser: { id: string; email: string } };

/** From here on making indexes again pays. */
const MANY = 20_000;

type MadeStep = { path: string; kind: string; name: string; seconds: number; calls: 'mcp' | 'a2a' | null };

/** Ten steps a run: every kind that screens tell apart. */
const STEPS: readonly MadeStep[] = [
  { path: 'scan', kind: 'tool', name: 'Look for personal data', seconds: 0.3, calls: 'mcp' },
  { path: 'sort', kind: 'branch', name: 'By amount', seconds: 0.01, calls: null },
  { path: 'note', kind: 'transform', name: 'Note', seconds: 0.02, calls: null },
  { path: 'redact', kind: 'tool', name: 'Redact', seconds: 0.4, calls: 'mcp' },
  { path: 'shape', kind: 'transform', name: 'Shape the request', seconds: 0.02, calls: null },
  { path: 'assess', kind: 'agent', name: 'Assess obligations', seconds: 1.2, calls: 'a2a' },
  { path: 'release', kind: 'approval', name: 'Release', seconds: 0.05, calls: null },
  { path: 'screen', kind: 'tool', name: 'Screen the name', seconds: 0.2, calls: 'mcp' },
  { path: 'sum', kind: 'transform', name: 'Sum up', seconds: 0.02, calls: null },
  { path: 'close', kind: 'transform', name: 'Close', seconds: 0.02, calls: null },
];

const ACTIONS = [
  'workflow.edited',
  'connection.checked',
  'preferences.changed',
  'capability.approved',
  'policy.draftSaved',
  'member.renamed',
];

/**
 * Makes it in one transaction. `client` is the cluster's superuser: triggers and foreign keys are for what happens, and a
 * past of millions of rows would wait an hour for them. Events come without a place; the sequencer gives them theirs.
 * @param until the newest moment of it
 */
export async function insertHistory(client: pg.ClientBase, workspaceId: string, size: HistorySize, until = new Date()): Promise<History> {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  await run('begin');
  await run(`set local session_replication_role = replica`);
  await run(`set local synchronous_commit = off`);
  await run(`set local work_mem = '128MB'`);
  await run(`create temp table past (workspace uuid, until timestamptz, days int, runs int, events int) on commit drop`);
  await run('insert into past values ($1, $2, $3, $4, $5)', [workspaceId, until, size.days, size.runs, size.events]);
  // Ids sort by time, as those that the product makes (UUIDv7); the rest of one follows from its number.
  await run(`create function pg_temp.id_at(at timestamptz, kind text, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid from md5(kind || n) h $$`);
  const indexes = size.runs < MANY ? [] : await dropIndexes(run);
  const plainUser = await insertMembers(run, size.members);
  await insertConnections(run, size.connections);
  await insertWorkflows(run, size.workflows);
  await insertRuns(run);
  await insertTexts(run);
  await insertSteps(run);
  await insertLoop(run, size.items);
  await insertDecisions(run);
  await insertApprovals(run);
  await insertHumanTasks(run);
  await insertEvents(run);
  await insertMessages(run);
  for (const { indexdef } of indexes) await run(indexdef);
  await run('commit');
  return { workspaceId, plainUser };
}

type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** To make an index of all rows at once takes a fraction of what keeping it row by row does. */
async function dropIndexes(run: Run): Promise<{ indexdef: string }[]> {
  const { rows } = await run(`select format('drop index quorate.%I', i.indexname) as drop, i.indexdef from pg_indexes i
    where i.schemaname = 'quorate' and i.tablename in ('runs', 'run_texts', 'steps', 'decisions', 'audit_events')
      and not exists (select from pg_constraint c where c.conname = i.indexname and c.connamespace = 'quorate'::regnamespace)`);
  for (const row of rows) await run(row.drop);
  return rows;
}

/** The first of them has no role but `user` and the password of a member who stands. */
async function insertMembers(run: Run, count: number): Promise<{ id: string; email: string }> {
  await run(
    `create temp table new_people on commit drop as
     select pg_temp.id_at(p.until - make_interval(days => p.days), 'member' || p.workspace, n) as id, n, 'member-' || n || '@history.example' as email,
       (array['Noor', 'Lena', 'Ivo', 'Mara', 'Teo', 'Ada', 'Sami', 'Ruth'])[1 + n % 8] || ' ' || (array['Haddad', 'Berger', 'Costa', 'Levi', 'Martin', 'Okafor', 'Silva'])[1 + n % 7] || ' ' || n as name
     from past p, generate_series(1, $1::int) n`,
    [count],
  );
  await run(`insert into auth.users (id, aud, role, email, email_confirmed_at, encrypted_password, created_at, updated_at, raw_app_meta_data, raw_user_meta_data)
    select x.id, 'authenticated', 'authenticated', x.email, now(), u.encrypted_password, now(), now(), u.raw_app_meta_data, u.raw_user_meta_data
    from new_people x, (select u.* from auth.users u join quorate.members m on m.user_id = u.id join past p on p.workspace = m.workspace_id order by 'builder' = any (m.roles) desc, m.user_id limit 1) u`);
  await run(`insert into public.profiles (id, display_name) select x.id, x.name from new_people x on conflict (id) do nothing`);
  await run(`insert into quorate.members (workspace_id, user_id, roles, name, email, created_at)
    select p.workspace, x.id, case when x.n % 5 = 0 then '{user,builder}' when x.n % 17 = 0 then '{user,approver}' else '{user}' end::text[], x.name, x.email, p.until - make_interval(days => p.days)
    from new_people x, past p`);
  // Runs are started and things are done by a few dozens of them, and by those who were there before.
  await run(`create temp table people on commit drop as
    select user_id as id, name, row_number() over (order by is_new, user_id) - 1 as n from (
      select m.user_id, m.name, x.n is not null as is_new from quorate.members m join past p on p.workspace = m.workspace_id left join new_people x on x.id = m.user_id
      where coalesce(x.n, 1) <= 24) m`);
  const { rows } = await run('select id, email from new_people where n = 1');
  return rows[0];
}

/** Servers and agents with what they offer. */
async function insertConnections(run: Run, count: number): Promise<void> {
  await run(
    `create temp table peers on commit drop as
     select pg_temp.id_at(p.until - make_interval(days => p.days), 'connection' || p.workspace, n) as id, pg_temp.id_at(p.until - make_interval(days => p.days), 'capability' || p.workspace, n) as capability, n,
       case when n % 10 = 0 then 'a2a' else 'mcp' end as kind from past p, generate_series(1, $1::int) n`,
    [count],
  );
  await run(`insert into quorate.connections (id, workspace_id, kind, name, slug, endpoint, status, owner_id, personal_data_allowed, last_check_at, created_at)
    select x.id, p.workspace, x.kind, case x.kind when 'a2a' then 'Agent ' else 'Server ' end || x.n, 'history-' || x.n, 'https://peer-' || x.n || '.example/' || x.kind, 'connected', (select id from people where n = 0), true, p.until, p.until - make_interval(days => p.days)
    from peers x, past p`);
  await run(`insert into quorate.capabilities (id, workspace_id, connection_id, kind, name, title, description, input_schema, definition, fingerprint, approved_fingerprint, approved_at)
    select case when k = 1 then x.capability else gen_random_uuid() end, p.workspace, x.id, case x.kind when 'a2a' then 'skill' else 'tool' end, 'capability_' || k, 'Capability ' || k, 'Reads what it is given and answers a list of findings with place and severity.',
      '{"type":"object","properties":{"text":{"type":"string"}}}', '{}', 'made', 'made', p.until
    from peers x, past p, generate_series(1, 3) k`);
}

async function insertWorkflows(run: Run, count: number): Promise<void> {
  const document = workflowDocumentSchema.parse({
    ...EMPTY_WORKFLOW,
    manualMinutes: 15,
    steps: STEPS.map((step) => ({ id: step.path, name: step.name, kind: 'transform', expression: 'input' })),
  });
  await run(
    `create temp table flows on commit drop as
     select pg_temp.id_at(p.until - make_interval(days => p.days), 'workflow' || p.workspace, n) as id, pg_temp.id_at(p.until - make_interval(days => p.days), 'version' || p.workspace, n) as version, n,
       (array['Invoice', 'Payment', 'Contract', 'Claim', 'Onboarding', 'Complaint'])[1 + n % 6] || ' review ' || n as name from past p, generate_series(1, $1::int) n`,
    [count],
  );
  await run(`insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, status, published_version_id, created_at, updated_at)
    select f.id, p.workspace, 'workflow', f.name, 'Reads a case, asks an agent, has a person decide and closes it.', o.id, 'active', f.version, p.until - make_interval(days => p.days), p.until - make_interval(hours => f.n)
    from flows f cross join past p join people o on o.n = f.n % (select count(*) from people)`);
  await run(
    `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id, created_at)
     select f.version, p.workspace, f.id, 1, $1, 'made', (select id from people where n = 1), p.until - make_interval(days => p.days) from flows f, past p`,
    [JSON.stringify(document)],
  );
}

/** Evenly over the days, with numbers behind those that are there; a few workflows have most of them. Every eleventh failed, every twentieth is a test; some are open. */
async function insertRuns(run: Run): Promise<void> {
  await run(`insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, status, input, output, error, attempt, created_at, started_at, finished_at, waiting_since, waiting_ms, journal_hash, updated_at, number)
    select pg_temp.id_at(x.at, 'run' || p.workspace, i), p.workspace, f.id, f.version, case when i % 20 = 0 then 'test' else 'live' end, case when i % 3 = 0 then 'webhook' else 'manual' end, o.id, x.status,
      jsonb_build_object('text', 'Case ' || i, 'amount', i % 1000), case when x.status = 'completed' then jsonb_build_object('case', i) end, case when x.status = 'failed' then '{"key":"peerTimeout","values":{"seconds":30}}'::jsonb end,
      1, x.at, x.at + interval '20 ms', case when x.status <> 'waiting' then x.at + interval '20 ms' + make_interval(secs => 2 + i % 7 + x.waited) end, case when x.status = 'waiting' then x.at end, (x.waited * 1000)::bigint,
      case when x.status <> 'waiting' then md5(i::text) || md5(i::text) end, x.at, 1000000 + p.runs - i
    from past p cross join generate_series(1, p.runs) i
    cross join lateral (select p.until - i * (make_interval(days => p.days) / p.runs) as at, case when i % 100 = 1 and i < p.runs / 5 then 'waiting' when i % 11 = 0 then 'failed' when i % 17 = 0 then 'cancelled' else 'completed' end as status,
      case when i % 5 = 0 then 600 else 0 end as waited) x
    join flows f on f.n = 1 + (case when i % 2 = 0 then i / 2 % 5 else i / 2 end) % (select count(*) from flows) join people o on o.n = i / 7 % (select count(*) from people)`);
  await run(
    `create temp table made on commit drop as select r.id, r.workspace_id, r.artifact_id, r.status, r.initiator_id, r.started_at, r.created_at, r.waiting_ms, row_number() over (order by r.id) as n from quorate.runs r join flows f on f.id = r.artifact_id`,
  );
  await run('analyze made');
}

/** Texts that search finds in them: a number of its own, a payee that a quarter share, and words that all do. */
async function insertTexts(run: Run): Promise<void> {
  await run(`insert into quorate.run_texts (run_id, workspace_id, initiator_id, text)
    select m.id, m.workspace_id, m.initiator_id, concat_ws(E'\\n', 'Case ' || m.n, (array['Müller & Söhne', 'Acme Ltd', 'شركة النور', 'Okafor Partners'])[1 + m.n % 4],
      'T-' || lpad(m.n::text, 7, '0'), 'The party of the first part pays within ' || m.n % 90 || ' days.', 'No findings, severity low.', md5('text' || m.n), m.n % 1000) from made m`);
}

/** In the order of the runs: those of one run stand beside each other, as they do where runs happen. */
async function insertSteps(run: Run): Promise<void> {
  await run(
    `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol, connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, started_at, finished_at, approval_id)
     select m.id, m.workspace_id, k.path, k.path, k.kind, k.name, s.status, case when m.n % 13 = 0 and k.calls is not null then 2 else 1 end, 1, m.id || ':' || k.path, k.calls, c.id, c.capability, case when c.id is not null then 'made' end,
       case when c.id is not null then jsonb_build_array(
         jsonb_build_object('capabilityId', c.capability, 'connectionId', c.id, 'name', 'capability_1', 'connection', 'Peer', 'protocol', k.calls, 'score', 0.82, 'parts', '{"skill":1,"health":0.8,"latency":0.4,"price":0.5}'::jsonb, 'excluded', null, 'chosen', true),
         jsonb_build_object('capabilityId', m.artifact_id, 'connectionId', c.id, 'name', 'capability_2', 'connection', 'Peer', 'protocol', k.calls, 'score', 0.41, 'parts', '{"skill":0.3,"health":0.8,"latency":0.4,"price":0.5}'::jsonb, 'excluded', null, 'chosen', false)) end,
       case when c.id is not null then jsonb_build_object('key', 'routeBest', 'values', jsonb_build_object('capability', k.name, 'connection', 'Peer', 'score', 82, 'eligible', 2, 'tookMs', 0.042)) end,
       jsonb_build_object('text', 'Case ' || m.n), case when s.status = 'success' then jsonb_build_object('findings', m.n % 4) end, case when s.status = 'error' then '{"key":"peerTimeout","values":{"seconds":30}}'::jsonb end, md5(m.n::text) || md5(k.path),
       t.at, case when s.status <> 'waiting' then t.at + make_interval(secs => k.seconds * (1 + (m.n % 10) / 10.0) + case when k.kind = 'approval' then m.waiting_ms / 1000.0 else 0 end) end,
       case when k.kind = 'approval' and (m.waiting_ms > 0 or m.status = 'waiting') then pg_temp.id_at(m.started_at + interval '2 s', 'approval', m.n) end
     from made m cross join jsonb_to_recordset($1) as k (place int, path text, kind text, name text, seconds float8, calls text)
     cross join lateral (select m.started_at + make_interval(secs => 0.4 * k.place + case when k.place > 6 then m.waiting_ms / 1000.0 else 0 end) as at) t
     cross join lateral (select case when m.status = 'failed' and k.place = 5 then 'error' when m.status = 'waiting' and k.kind = 'approval' then 'waiting' when m.status in ('failed', 'waiting') and k.place > 5 then 'skipped' else 'success' end as status) s
     left join (select x.*, row_number() over (partition by x.kind order by x.n) - 1 as at, count(*) over (partition by x.kind) as total from peers x) c on c.kind = k.calls and c.at = (m.n * 7 + k.place) % c.total
     where not (m.status = 'waiting' and k.place > 6)
     order by m.n, k.place`,
    [JSON.stringify(STEPS.map((step, place) => ({ ...step, place })))],
  );
}

/** A loop with its items, each with one step. */
async function insertLoop(run: Run, items: number): Promise<void> {
  const from = `from (select id, workspace_id, started_at from quorate.runs where status = 'completed' and workspace_id = (select workspace from past) order by created_at desc limit 1) r`;
  const columns = `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, input, output, started_at, finished_at, item_of, item_index, within)`;
  await run(
    `${columns} select r.id, r.workspace_id, 'lines', 'lines', 'for_each', 'Each line', 'success', 1, r.id || ':lines', (select json_build_object('items', json_agg(n)) from generate_series(1, $1::int) n),
       jsonb_build_object('count', $1::int), r.started_at, r.started_at + interval '1 minute', null, null, null ${from}`,
    [items],
  );
  await run(
    `${columns} select r.id, r.workspace_id, 'lines/' || n, 'lines', 'for_each', 'Each line', case when n % 50 = 7 then 'error' else 'success' end, 1, r.id || ':lines/' || n, null, jsonb_build_object('hits', n % 3),
       r.started_at, r.started_at + interval '1 s', 'lines', n, null ${from} cross join generate_series(0, $1::int - 1) n`,
    [items],
  );
  await run(
    `${columns} select r.id, r.workspace_id, 'lines/' || n || '/screen', 'screen', 'transform', 'Screen', 'success', 1, r.id || ':lines/' || n || '/screen', null, jsonb_build_object('hits', n % 3),
       r.started_at, r.started_at + interval '1 s', null, null, 'lines/' || n ${from} cross join generate_series(0, $1::int - 1) n`,
    [items],
  );
}

/** One before each call; a failed run was warned about, and now and then something was refused. */
async function insertDecisions(run: Run): Promise<void> {
  await run(`insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest, policy_version, decided_at)
    select pg_temp.id_at(s.started_at, 'decision' || s.path, m.n), s.workspace_id, s.run_id, s.path, 1, case s.protocol when 'a2a' then 'call_agent' else 'call_tool' end, v.verdict,
      case when v.verdict = 'allow' then '[]'::jsonb else jsonb_build_array(jsonb_build_object('policyId', g.id, 'policyName', g.name, 'version', 1, 'rule', 'made', 'verdict', v.verdict)) end,
      jsonb_build_object('key', 'policyAllowed', 'values', jsonb_build_object('capability', s.name, 'connection', 'Peer')), jsonb_build_object('mode', 'live', 'initiatorId', m.initiator_id, 'roles', '["user"]'::jsonb, 'connection', 'peer', 'connectionId', s.connection_id, 'capability', s.name, 'capabilityId', s.capability_id, 'capabilityState', 'approved',
        'personalDataAllowed', true, 'builtin', false, 'personalData', '[]'::jsonb, 'risk', 'low', 'findings', 0, 'approvalId', null, 'approvedBy', '[]'::jsonb), 'digest', 'version', s.started_at
    from made m join quorate.steps s on s.run_id = m.id
    cross join lateral (select case when s.path = 'assess' and m.n % 25 = 0 then 'require_approval' when s.path = 'screen' and m.n % 50 = 0 then 'warn' when s.path = 'redact' and m.n % 200 = 0 then 'deny' else 'allow' end as verdict) v
    left join (select a.id, a.name, row_number() over (order by a.id) - 1 as n, count(*) over () as total from quorate.artifacts a join past p on p.workspace = a.workspace_id where a.kind = 'policy') g on g.n = m.n % g.total
    where s.protocol is not null`);
}

/** Every fifth run asked a person; the newest open ones still wait. */
async function insertApprovals(run: Run): Promise<void> {
  await run(`insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, status, requested_by, version_author_id, created_at, due_at, decided_at, consumed_at, consumed_key)
    select s.approval_id, m.workspace_id, m.id, 'release', 'Release', jsonb_build_object('input', jsonb_build_object('question', 'Release case ' || m.n, 'show', '{}'::jsonb)), md5(m.id::text), '{"key":"policyHighRiskNeedsApprover","values":{}}',
      (array['low', 'medium', 'high'])[1 + m.n % 3], x.status, m.initiator_id, (select id from people where n = 1), s.started_at, case when x.status = 'pending' then p.until + make_interval(hours => 24 + (m.n % 48)::int) else s.started_at + interval '3 days' end,
      case when x.status <> 'pending' then s.finished_at end, case when x.status = 'consumed' then s.finished_at end, case when x.status = 'consumed' then s.idempotency_key end
    from made m join quorate.steps s on s.run_id = m.id and s.path = 'release' cross join past p
    cross join lateral (select case when m.status = 'waiting' then 'pending' when m.n % 37 = 0 then 'expired' when m.status = 'cancelled' then 'withdrawn' when m.status = 'failed' then 'rejected' else 'consumed' end as status) x
    where s.approval_id is not null`);
  await run(`insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, method, voted_at)
    select a.workspace_id, a.id, o.id, o.name, case a.status when 'rejected' then 'reject' else 'approve' end, 'Seen', a.action_digest, case a.risk when 'high' then 'password' else 'session' end, a.decided_at
    from quorate.approvals a join past p on p.workspace = a.workspace_id join people o on o.n = 2 where a.status in ('consumed', 'rejected') and a.step_path = 'release'`);
}

/** Every hundredth run asked somebody to fill in a form. */
async function insertHumanTasks(run: Run): Promise<void> {
  await run(`insert into quorate.human_tasks (id, workspace_id, run_id, step_path, title, workflow, question, fields, role, status, answer, answered_by, created_at, due_at, answered_at)
    select gen_random_uuid(), m.workspace_id, m.id, 'form', 'Amount', 'Past', 'How much is it?', '[{"name": "amount", "title": "Amount", "type": "number", "required": true, "options": [], "help": ""}]', 'builder',
      case when m.status = 'waiting' then 'pending' else 'answered' end, case when m.status <> 'waiting' then '{"amount": 1}'::json end, case when m.status <> 'waiting' then m.initiator_id end, p.until - interval '1 hour', p.until + interval '1 day',
      case when m.status <> 'waiting' then p.until end
    from made m cross join past p where m.n % 100 = 0 or m.status = 'waiting'`);
}

/** Two for each run, the rest is what people do. */
async function insertEvents(run: Run): Promise<void> {
  const salt = `uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())`;
  const columns =
    'id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt, at, xid';
  await run(`insert into quorate.audit_events (${columns})
    select pg_temp.id_at(e.at, 'event' || e.action, m.n), m.workspace_id, e.actor_kind, e.actor, e.actor_name, e.action, 'run', m.id, f.name, '{"mode":"live"}', ${salt}, e.at, (1000000000000 + m.n * 2 + e.k)::text::xid8
    from made m join flows f on f.id = m.artifact_id join people o on o.id = m.initiator_id
    cross join lateral (values (0, 'run.started', m.created_at, 'member', o.id, o.name), (1, 'run.' || m.status, m.created_at + interval '9 s', 'worker', null::uuid, null)) as e (k, action, at, actor_kind, actor, actor_name)
    where e.action <> 'run.waiting'`);
  await run(
    `insert into quorate.audit_events (${columns})
     select pg_temp.id_at(x.at, 'event', i), p.workspace, 'member', o.id, o.name, x.action, split_part(x.action, '.', 1), coalesce(f.id, o.id)::text, coalesce(f.name, o.name), '{}', ${salt}, x.at, (2000000000000 + i)::text::xid8
     from past p cross join generate_series(1, greatest(p.events - 2 * p.runs, 0)) i
     cross join lateral (select p.until - i * (make_interval(days => p.days) / greatest(p.events - 2 * p.runs, 1)) as at, ($1::text[])[1 + i % array_length($1::text[], 1)] as action) x
     join people o on o.n = i / 3 % (select count(*) from people) left join flows f on x.action like 'workflow.%' and f.n = 1 + i % (select count(*) from flows)`,
    [ACTIONS],
  );
}

/** What people were told, and what left the instance: most of it read and delivered. */
async function insertMessages(run: Run): Promise<void> {
  await run(`insert into quorate.notifications (id, workspace_id, user_id, kind, subject, created_at, read_at, queued_at, once)
    select pg_temp.id_at(m.created_at, 'notice' || o.n, m.n), m.workspace_id, o.id, case when m.status = 'failed' then 'failure' else 'approval' end,
      jsonb_build_object('key', case when m.status = 'failed' then 'notifyRunFailed' else 'notifyApprovalWaiting' end, 'values', jsonb_build_object('workflow', f.name, 'title', 'Release', 'name', o.name), 'about', jsonb_build_object('kind', 'run', 'id', m.id)),
      m.created_at, case when m.n % 40 <> 0 then m.created_at end, m.created_at, 'made:' || m.id
    from made m join flows f on f.id = m.artifact_id join people o on o.n in (m.n % 24, m.n % 4) where m.status in ('failed', 'waiting') or m.waiting_ms > 0
    on conflict do nothing`);
  await run(`insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, status, attempts, next_attempt_at, last_error, created_at, delivered_at)
    select pg_temp.id_at(m.created_at, 'delivery', m.n), m.workspace_id, case when m.n % 2 = 0 then 'mail' else 'webhook' end, case when m.n % 2 = 0 then 'member-' || m.n % 24 || '@history.example' else 'https://hooks.example/quorate' end, 'Release', 'made',
      case when m.n % 60 = 0 then 'failed' else 'success' end, 1, m.created_at, case when m.n % 60 = 0 then 'HTTP 500' end, m.created_at, case when m.n % 60 <> 0 then m.created_at end
    from made m where m.n % 2 = 0 or m.n % 5 = 0`);
}
