/** One row of every table, with ids of its own: what a test arranges, and what a principal tries to insert. */
import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';

/** Whose row it would be; the ids that other tables refer to are those of the arranged rows. */
export type RowSubject = {
  workspaceId: string;
  /** Member who acts, or who owns what belongs to one person. */
  actorId: string;
  keyId: string | null;
  /** Someone with a profile who is no member yet. */
  newcomerId: string;
  /** Another member. */
  colleagueId: string;
  artifactId: string;
  versionId: string;
  connectionId: string;
  runId: string;
  approvalId: string;
  changeId: string;
};

type Row = Record<string, unknown>;
const digest = () => randomBytes(32);
const later = () => new Date(Date.now() + 86_400_000);
/** A change of one policy, as the database digests it. */
const changeOf = ({ workspaceId, artifactId }: RowSubject) => {
  const before = { status: 'active', versionId: null };
  const resource = newId();
  const subject = canonicalJson({
    after: { ...before, status: 'inactive' },
    before,
    kind: 'policy_pause',
    reason: artifactId,
    resource,
    workspace: workspaceId,
  });
  const sum = createHash('sha256').update(subject).digest('hex');
  return { id: newId(), workspace_id: workspaceId, kind: 'policy_pause', resource_id: resource, subject, digest: sum };
};
const REASON = JSON.stringify({ key: 'test', values: {} });

/** Column values of a fresh row of each table in `quorate`. */
export const newRow: Record<string, (subject: RowSubject) => Row> = {
  workspaces: () => ({ id: newId(), name: 'Another', slug: `another-${newId().slice(-12)}` }),
  members: (s) => ({ workspace_id: s.workspaceId, user_id: s.newcomerId, roles: ['user'], name: 'New', email: 'new@example.com' }),
  invitations: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    email: 'guest@example.com',
    roles: ['user'],
    token_hash: digest(),
    invited_by: s.actorId,
    expires_at: later(),
  }),
  control_terms: (s) => ({ workspace_id: s.workspaceId, user_id: s.newcomerId, role: 'approver' }),
  control_changes: (s) => ({ ...changeOf(s), requested_by: s.actorId, due_at: later() }),
  control_secrets: (s) => ({ change_id: s.changeId, workspace_id: s.workspaceId, secret: Buffer.from('sealed') }),
  control_votes: (s) => ({
    workspace_id: s.workspaceId,
    change_id: s.changeId,
    user_id: s.actorId,
    voter_name: 'Voter',
    vote: 'approve',
    digest: 'a'.repeat(64),
    method: 'password',
  }),
  api_keys: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    user_id: s.actorId,
    name: 'Key',
    prefix: 'qk_test',
    key_hash: digest(),
    scopes: ['runs:read'],
  }),
  user_sessions: (s) => ({ session_id: newId(), user_id: s.actorId }),
  preferences: (s) => ({ user_id: s.actorId }),
  notifications: (s) => ({ id: newId(), workspace_id: s.workspaceId, user_id: s.actorId, kind: 'test' }),
  deliveries: (s) => ({ id: newId(), workspace_id: s.workspaceId, kind: 'mail', target: 'guest@example.com', body: 'text' }),
  avatars: (s) => ({ user_id: s.actorId, file_name: 'avatars/a', media_type: 'image/png', digest: 'a'.repeat(64) }),
  files: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    owner_id: s.actorId,
    name: 'a.txt',
    media_type: 'text/plain',
    content: Buffer.from('a'),
  }),
  member_settings: (s) => ({ workspace_id: s.workspaceId, user_id: s.actorId }),
  deputies: (s) => ({ id: newId(), workspace_id: s.workspaceId, user_id: s.actorId, deputy_id: s.colleagueId, named_by: s.actorId }),
  registries: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    name: 'Registry',
    address: `https://${newId()}.example`,
    servers: '[]',
    read_at: new Date(),
  }),
  saved_views: (s) => ({ id: newId(), workspace_id: s.workspaceId, user_id: s.actorId, area: 'runs', name: 'Mine', query: '' }),
  recovery_codes: (s) => ({ user_id: s.actorId, code_hash: digest() }),
  reauthentications: (s) => ({
    user_id: s.actorId,
    session_id: newId(),
    method: 'password',
    act: 'vote',
    subject_id: s.approvalId,
    proof: digest(),
    expires_at: later(),
  }),
  recovered_sessions: (s) => ({ session_id: newId(), user_id: s.actorId }),
  partial_texts: (s) => ({
    run_id: s.runId,
    path: newId(),
    workspace_id: s.workspaceId,
    begun_at: new Date(),
    written_at: new Date(),
    chars: 1,
  }),
  text_readers: (s) => ({ run_id: s.runId, workspace_id: s.workspaceId, until: new Date() }),
  watching: (s) => ({ run_id: s.runId, process_id: newId(), workspace_id: s.workspaceId, until: new Date() }),
  process_key: () => ({ inner_pad: Buffer.alloc(64), outer_pad: Buffer.alloc(64) }),
  rate_limits: () => ({ key: newId(), window_started_at: new Date(), hits: 1 }),
  newsletter_subscribers: () => ({ email: `${newId()}@example.com`, language: 'en' }),
  contact_requests: () => ({ id: newId(), name: 'A', email: 'a@example.com', message: 'text', topic: 'other' }),
  log_audits: (s) => ({ workspace_id: s.workspaceId }),
  caught_mails: () => ({ id: newId(), recipient: 'a@example.com', subject: 's', text_body: 't' }),
  artifacts: (s) => ({ id: newId(), workspace_id: s.workspaceId, kind: 'workflow', name: 'Draft', owner_id: s.actorId }),
  drafts: (s) => ({
    workspace_id: s.workspaceId,
    artifact_id: s.artifactId,
    revision: Math.floor(Math.random() * 1e9),
    document: '{}',
    author_id: s.actorId,
  }),
  versions: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    artifact_id: s.artifactId,
    document: '{}',
    content_hash: 'hash',
    author_id: s.actorId,
  }),
  triggers: (s) => ({ id: newId(), workspace_id: s.workspaceId, artifact_id: s.artifactId, kind: 'webhook', created_by: s.actorId }),
  connections: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    kind: 'mcp',
    name: 'Tools',
    slug: `tools-${newId().slice(-12)}`,
    endpoint: 'https://tools.example',
    owner_id: s.actorId,
  }),
  capabilities: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    connection_id: s.connectionId,
    kind: 'tool',
    name: `tool-${newId()}`,
    definition: '{}',
    fingerprint: 'f',
  }),
  runs: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    artifact_id: s.artifactId,
    version_id: s.versionId,
    mode: 'live',
    initiator_id: s.actorId,
  }),
  watches: (s) => ({ workspace_id: s.workspaceId, user_id: s.actorId, run_id: s.runId }),
  steps: (s) => ({
    run_id: s.runId,
    workspace_id: s.workspaceId,
    path: newId(),
    step_id: 'a',
    kind: 'tool',
    name: 'A',
    status: 'pending',
    run_attempt: 1,
    idempotency_key: newId(),
  }),
  step_attempts: (s) => ({
    workspace_id: s.workspaceId,
    run_id: s.runId,
    path: newId(),
    attempt: 1,
    error: '{"key":"peerBusy","values":{}}',
  }),
  connection_traffic: (s) => ({ connection_id: s.connectionId, workspace_id: s.workspaceId }),
  connection_calls: (s) => ({
    run_id: s.runId,
    path: newId(),
    workspace_id: s.workspaceId,
    connection_id: s.connectionId,
    state: 'calling',
  }),
  run_texts: (s) => ({ run_id: s.runId, workspace_id: s.workspaceId, initiator_id: s.actorId, text: 'text' }),
  run_events: (s) => ({ run_id: s.runId, step_id: `s${newId().slice(-12)}`, workspace_id: s.workspaceId, body: '{}' }),
  decisions: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    run_id: s.runId,
    step_path: 'a',
    attempt: 1,
    action: 'tool.call',
    verdict: 'allow',
    reason: REASON,
    action_digest: 'd',
    policy_version: 'p',
  }),
  approvals: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    run_id: s.runId,
    step_path: newId(),
    title: 'T',
    subject: '{}',
    action_digest: 'd',
    reason: REASON,
    risk: 'low',
    requested_by: s.actorId,
    version_author_id: s.actorId,
    due_at: later(),
  }),
  run_files: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    run_id: s.runId,
    step_path: newId(),
    owner_id: s.actorId,
    name: 'a.csv',
    media_type: 'text/csv',
    size: 1,
    sha256: 'a'.repeat(64),
    stored_name: newId(),
  }),
  file_removals: (s) => ({ stored_name: newId(), workspace_id: s.workspaceId }),
  step_pins: (s) => ({
    workspace_id: s.workspaceId,
    artifact_id: s.artifactId,
    step_id: newId(),
    output: '{}',
    run_id: s.runId,
    pinned_by: s.actorId,
  }),
  human_tasks: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    run_id: s.runId,
    step_path: newId(),
    title: 'T',
    workflow: 'W',
    question: 'Q',
    fields: '[]',
    role: 'builder',
    due_at: later(),
  }),
  approval_votes: (s) => ({
    workspace_id: s.workspaceId,
    approval_id: s.approvalId,
    user_id: s.actorId,
    voter_name: 'V',
    vote: 'approve',
    action_digest: 'd',
    method: 'session',
  }),
  approval_comments: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    approval_id: s.approvalId,
    author_id: s.actorId,
    author_name: 'A',
    kind: 'comment',
    text: 'A remark',
  }),
  audit_events: (s) => ({
    id: newId(),
    workspace_id: s.workspaceId,
    actor_kind: s.keyId ? 'key' : 'member',
    actor_id: s.keyId ?? s.actorId,
    action: 'test.done',
    resource_kind: 'workspace',
    resource_id: s.workspaceId,
  }),
  audit_nodes: (s) => ({ workspace_id: s.workspaceId, level: 0, idx: Math.floor(Math.random() * 1e9), hash: digest() }),
  cosignatures: (s) => ({
    workspace_id: s.workspaceId,
    size: Math.floor(Math.random() * 1e9),
    witness: 'w',
    line: 'l',
    signed_at: new Date(),
  }),
  time_stamps: (s) => ({
    workspace_id: s.workspaceId,
    size: Math.floor(Math.random() * 1e9),
    authority: 'a',
    answer: digest(),
    signed_at: new Date(),
  }),
  watchers: (s) => ({ workspace_id: s.workspaceId, party: newId(), kind: 'witness', asked_at: new Date() }),
  checkpoints: (s) => ({ workspace_id: s.workspaceId, size: Math.floor(Math.random() * 1e9), root: digest(), note: 'n' }),
};

/** An INSERT of a row with its parameters. */
export function insertOf(table: string, row: Row): { text: string; values: unknown[] } {
  const columns = Object.keys(row);
  return {
    text: `insert into quorate.${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: Object.values(row),
  };
}
