import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Role } from '#app/contracts/people.ts';
import type {
  ApprovalStatus,
  ArtifactStatus,
  AskedMeaning,
  BreakGlassOutcome,
  ConnectionStatus,
  ControlKind,
  ControlStatus,
  ControlVote,
  FreshMethod,
  ReauthenticatedAct,
  ReplayStatus,
  Risk,
  RunStatus,
  SignatureMeaning,
  SignatureMethod,
  StepKind,
  StepStatus,
  Verdict,
  Vote,
} from '#app/contracts/statuses.ts';
/**
 * The rows of the database as the query layer sees them, written after `supabase/schemas`.
 * `tests/integration/database/tables.spec.ts` compares this file with the migrated database.
 */

/** A column with a default or that may be null: may be left out of an insert. Kysely reads these three names. */
export type Defaulted<T> = { readonly __select__: T; readonly __insert__: T | undefined; readonly __update__: T };

/**
 * A column of JSON: read as a value, written as JSON text so that strings and arrays keep their form. Documents, inputs, outputs and
 * subjects stand in `quorate.ordered_json` and keep the order of their keys; what Quorate writes of itself stands in `jsonb`.
 */
export type JsonColumn<T> = { readonly __select__: T; readonly __insert__: string | null | undefined; readonly __update__: string | null };

export type ProfilesTable = {
  id: string;
  role: Defaulted<string>;
  display_name: Defaulted<string | null>;
  updated_at: Defaulted<Date>;
};

export type WorkspacesTable = {
  id: string;
  name: string;
  slug: string;
  plan: Defaulted<'starter' | 'professional' | 'enterprise'>;
  trial_ends_at: Defaulted<Date | null>;
  settings: JsonColumn<Json>;
  /** `WorkspaceNetwork`: a list, or the word `instance`. */
  private_network: JsonColumn<Json>;
  reviews_effects: Defaulted<boolean>;
  /** `ProofSettings`. */
  proof: JsonColumn<Json>;
  /** `SignInState`. */
  sign_in: JsonColumn<Json>;
  /** `SessionRules`. */
  session_rules: JsonColumn<Json>;
  is_demo: Defaulted<boolean>;
  halted_at: Defaulted<Date | null>;
  halted_by: Defaulted<string | null>;
  halt_reason: Defaulted<string | null>;
  config_revision: Defaulted<number>;
  created_at: Defaulted<Date>;
};

export type MembersTable = {
  workspace_id: string;
  user_id: string;
  roles: Defaulted<Role[]>;
  name: string;
  email: string;
  created_at: Defaulted<Date>;
  /** The first moment after a membership that ends on its own. */
  ends_at: Defaulted<Date | null>;
};

export type InvitationsTable = {
  id: string;
  workspace_id: string;
  email: string;
  roles: Role[];
  token_hash: Uint8Array;
  invited_by: string;
  created_at: Defaulted<Date>;
  expires_at: Date;
  accepted_at: Defaulted<Date | null>;
  declined_at: Defaulted<Date | null>;
  withdrawn_at: Defaulted<Date | null>;
  /** When the membership ends that it leads to. */
  member_until: Defaulted<Date | null>;
  /** The person of the company's directory for whom it stands open. */
  directory_person_id: Defaulted<string | null>;
};

export type ApiKeysTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  prefix: string;
  key_hash: Uint8Array;
  scopes: string[];
  created_at: Defaulted<Date>;
  expires_at: Defaulted<Date | null>;
  last_used_at: Defaulted<Date | null>;
  revoked_at: Defaulted<Date | null>;
  grant_id: Defaulted<string | null>;
  client_id: Defaulted<string | null>;
  resource: Defaulted<string | null>;
  networks: Defaulted<string[]>;
};

export type AuthorizationRecordsTable = {
  kind: string;
  id_hash: Uint8Array;
  payload: Uint8Array;
  grant_id: Defaulted<string | null>;
  uid_hash: Defaulted<Uint8Array | null>;
  scopes: Defaulted<string[] | null>;
  expires_at: Defaulted<Date | null>;
  consumed_at: Defaulted<Date | null>;
};

export type UserSessionsTable = {
  session_id: string;
  user_id: string;
  browser: Defaulted<string>;
  first_seen_at: Defaulted<Date>;
  last_seen_at: Defaulted<Date>;
  recovering: Defaulted<boolean>;
  /** Seconds. */
  longest_idle: Defaulted<number>;
};

export type PreferencesTable = {
  user_id: string;
  settings: JsonColumn<Json>;
  updated_at: Defaulted<Date>;
  last_workspace_id: Defaulted<string | null>;
};

export type NotificationsTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  kind: string;
  subject: JsonColumn<Json>;
  created_at: Defaulted<Date>;
  read_at: Defaulted<Date | null>;
  once: Defaulted<string | null>;
  queued_at: Defaulted<Date | null>;
};

export type DeliveriesTable = {
  id: string;
  workspace_id: Defaulted<string | null>;
  kind: 'mail' | 'webhook';
  target: string;
  subject: Defaulted<string>;
  body: string;
  status: Defaulted<'pending' | 'success' | 'failed'>;
  attempts: Defaulted<number>;
  next_attempt_at: Defaulted<Date>;
  last_error: Defaulted<string | null>;
  created_at: Defaulted<Date>;
  delivered_at: Defaulted<Date | null>;
  sealed_secret: Defaulted<Uint8Array | null>;
  secret_context: Defaulted<string | null>;
  notices: Defaulted<string[] | null>;
  format: Defaulted<'json' | 'slack' | 'teams'>;
};

export type RecoveryCodesTable = {
  user_id: string;
  code_hash: Uint8Array;
  created_at: Defaulted<Date>;
  used_at: Defaulted<Date | null>;
};

export type RecoveredSessionsTable = {
  session_id: string;
  user_id: string;
  at: Defaulted<Date>;
};

/** Of `public_key` and `credential_id` nothing is read but by functions of the database. */
export type PasskeysTable = {
  id: string;
  user_id: string;
  credential_id: Uint8Array;
  public_key: Uint8Array;
  counter: number;
  transports: Defaulted<string[]>;
  backed_up: Defaulted<boolean>;
  name: string;
  created_at: Defaulted<Date>;
  last_used_at: Defaulted<Date | null>;
  doubted_at: Defaulted<Date | null>;
};

export type UsedChallengesTable = {
  id: string;
  expires_at: Date;
};

export type AuthenticatorsTable = {
  user_id: string;
  sealed_secret: Uint8Array;
  last_step: number;
  created_at: Defaulted<Date>;
  last_used_at: Defaulted<Date | null>;
};

export type SessionFactorsTable = {
  session_id: string;
  user_id: string;
  method: 'passkey' | 'code';
  at: Defaulted<Date>;
};

export type ReauthenticationsTable = {
  id: Defaulted<string>;
  user_id: string;
  session_id: string;
  method: FreshMethod;
  act: ReauthenticatedAct;
  subject_id: string;
  proof: Uint8Array;
  at: Defaulted<Date>;
  expires_at: Date;
  consumed_at: Defaulted<Date | null>;
};

export type AvatarsTable = {
  user_id: string;
  file_name: string;
  media_type: string;
  digest: string;
  updated_at: Defaulted<Date>;
};

export type FilesTable = {
  id: string;
  /** Null: a person's own, which only the file store reaches. */
  workspace_id: Defaulted<string | null>;
  owner_id: string;
  name: string;
  media_type: string;
  content: Uint8Array;
  created_at: Defaulted<Date>;
};

/** Uploads for the input of runs, and documents that their steps make. */
export type RunFilesTable = {
  id: string;
  workspace_id: string;
  /** Null: an upload that no run has taken yet. */
  run_id: Defaulted<string | null>;
  /** Null: it was uploaded. */
  step_path: Defaulted<string | null>;
  owner_id: string;
  name: string;
  media_type: string;
  size: number;
  /** Of the content, in hex. */
  sha256: string;
  /** Of the content in the file store. */
  stored_name: string;
  created_at: Defaulted<Date>;
};

/** Contents to remove from the file store. */
export type FileRemovalsTable = {
  stored_name: string;
  workspace_id: string;
  removed_at: Defaulted<Date>;
};

export type MemberSettingsTable = {
  workspace_id: string;
  user_id: string;
  settings: JsonColumn<Json>;
  here_at: Defaulted<Date | null>;
  since_at: Defaulted<Date | null>;
};

export type SavedViewsTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  area: string;
  name: string;
  query: string;
  created_at: Defaulted<Date>;
  /** With everyone in the workspace. */
  shared: Defaulted<boolean>;
};

export type IdentityProvidersTable = {
  id: string;
  workspace_id: string;
  name: string;
  issuer: string;
  client_id: string;
  sealed_secret: Defaulted<Uint8Array | null>;
  email_claim: Defaulted<string>;
  name_claim: Defaulted<string>;
  groups_claim: Defaulted<string>;
  emails_verified: Defaulted<boolean>;
  default_roles: Defaulted<Role[]>;
  tested_at: Defaulted<Date | null>;
  created_at: Defaulted<Date>;
  /** `SamlSettings`; null: OpenID Connect. */
  saml: JsonColumn<Json>;
};

export type SamlKeysTable = {
  id: string;
  workspace_id: string;
  certificate: string;
  sealed_key: Uint8Array;
  state: 'next' | 'current' | 'former';
  not_after: Date;
  created_at: Defaulted<Date>;
};

export type VerifiedDomainsTable = {
  workspace_id: string;
  domain: string;
  token: string;
  created_at: Defaulted<Date>;
  verified_at: Defaulted<Date | null>;
};

export type CompanyIdentitiesTable = {
  workspace_id: string;
  issuer: string;
  client_id: string;
  subject: string;
  user_id: string;
  created_at: Defaulted<Date>;
};

/** Written by functions of the database alone, as the next. */
export type CompanySessionsTable = {
  session_id: string;
  workspace_id: string;
  user_id: string;
  issuer: string;
  client_id: string;
  subject: string;
  sid: Defaulted<string | null>;
  amr: Defaulted<string[]>;
  acr: Defaulted<string | null>;
  auth_time: Defaulted<Date | null>;
  created_at: Defaulted<Date>;
};

export type CompanyOneTimeTable = {
  key: Uint8Array;
  workspace_id: string;
  provider_id: Defaulted<string | null>;
  sealed: Defaulted<Uint8Array | null>;
  expires_at: Date;
};

export type GroupRolesTable = {
  workspace_id: string;
  group_name: string;
  roles: Role[];
};

export type DirectoryTokensTable = {
  id: string;
  workspace_id: string;
  name: string;
  prefix: string;
  token_hash: Uint8Array;
  created_by: string;
  created_at: Defaulted<Date>;
  expires_at: Date;
  last_used_at: Defaulted<Date | null>;
  revoked_at: Defaulted<Date | null>;
  confirmed_by: Defaulted<string | null>;
  confirmed_at: Defaulted<Date | null>;
};

export type DirectoryPeopleTable = {
  id: string;
  workspace_id: string;
  user_name: string;
  external_id: Defaulted<string | null>;
  display_name: Defaulted<string | null>;
  given_name: Defaulted<string | null>;
  family_name: Defaulted<string | null>;
  formatted_name: Defaulted<string | null>;
  /** `DirectoryEmail[]`. */
  emails: JsonColumn<Json>;
  email: Defaulted<string | null>;
  active: Defaulted<boolean>;
  user_id: Defaulted<string | null>;
  revision: Defaulted<number>;
  created_at: Defaulted<Date>;
  changed_at: Defaulted<Date>;
  deleted_at: Defaulted<Date | null>;
};

export type DirectoryGroupsTable = {
  id: string;
  workspace_id: string;
  display_name: string;
  external_id: Defaulted<string | null>;
  revision: Defaulted<number>;
  created_at: Defaulted<Date>;
  changed_at: Defaulted<Date>;
};

export type DirectoryGroupPeopleTable = {
  workspace_id: string;
  group_id: string;
  person_id: string;
};

export type DirectoryRefusalsTable = {
  id: string;
  workspace_id: string;
  token_id: string;
  at: Defaulted<Date>;
  method: string;
  path: string;
  status: number;
  detail: string;
};

export type RegistriesTable = {
  id: string;
  workspace_id: string;
  name: string;
  address: string;
  servers: JsonColumn<Json>;
  refused: Defaulted<number>;
  cut: Defaulted<boolean>;
  read_at: Date;
  created_at: Defaulted<Date>;
};

/** Our registration at one authorization server; issuer '': typed in before the server was known. */
export type OauthClientsTable = {
  workspace_id: string;
  connection_id: string;
  issuer: string;
  sealed: Uint8Array;
  updated_at: Defaulted<Date>;
};

/** Tokens of a connection; without a user the workspace's. `lost`: the issuer takes the refresh token no more. */
export type OauthGrantsTable = {
  id: string;
  workspace_id: string;
  connection_id: string;
  user_id: Defaulted<string | null>;
  issuer: string;
  resource: string;
  scope: Defaulted<string>;
  sealed: Uint8Array;
  version: Defaulted<number>;
  expires_at: Defaulted<Date | null>;
  status: Defaulted<'active' | 'lost'>;
  granted_by: string;
  granted_at: Defaulted<Date>;
  updated_at: Defaulted<Date>;
};

/** A consent that a person was sent away for. */
export type OauthConsentsTable = {
  id: string;
  workspace_id: string;
  connection_id: string;
  user_id: string;
  session_id: string;
  for_member: boolean;
  state_digest: Uint8Array;
  host: string;
  sealed: Uint8Array;
  created_at: Defaulted<Date>;
  due_at: Date;
  used_at: Defaulted<Date | null>;
};

/** A step that waits for a person to sign in; without a user for the workspace's account. */
export type SignInWaitsTable = {
  run_id: string;
  path: string;
  workspace_id: string;
  connection_id: string;
  user_id: Defaulted<string | null>;
  host: string;
  scope: Defaulted<string | null>;
  since: Defaulted<Date>;
  due_at: Date;
};

/** Exactly one of `artifact_id` and `run_id` is set. */
export type WatchesTable = {
  workspace_id: string;
  user_id: string;
  artifact_id: Defaulted<string | null>;
  run_id: Defaulted<string | null>;
  created_at: Defaulted<Date>;
};

export type ProcessKeyTable = {
  is_only: Defaulted<boolean>;
  inner_pad: Uint8Array;
  outer_pad: Uint8Array;
};

export type RateLimitsTable = {
  key: string;
  window_started_at: Date;
  hits: number;
};

export type NewsletterSubscribersTable = {
  email: string;
  language: string;
  subscribed_at: Defaulted<Date>;
  sharing_refused: Defaulted<boolean>;
};

export type ContactRequestsTable = {
  id: string;
  name: string;
  email: string;
  company: Defaulted<string>;
  message: string;
  topic: string;
  language: Defaulted<string>;
  sharing_refused: Defaulted<boolean>;
  created_at: Defaulted<Date>;
  answered_at: Defaulted<Date | null>;
  answered_by: Defaulted<string | null>;
};

export type CaughtMailsTable = {
  id: string;
  recipient: string;
  subject: string;
  text_body: string;
  html_body: Defaulted<string>;
  caught_at: Defaulted<Date>;
};

export type ArtifactsTable = {
  id: string;
  workspace_id: string;
  kind: 'workflow' | 'agent' | 'policy' | 'inspection' | 'gateway';
  name: string;
  description: Defaulted<string>;
  owner_id: string;
  tags: Defaulted<string[]>;
  status: Defaulted<ArtifactStatus>;
  published_version_id: Defaulted<string | null>;
  draft_revision: Defaulted<number>;
  created_at: Defaulted<Date>;
  updated_at: Defaulted<Date>;
  deleted_at: Defaulted<Date | null>;
  /** Of a workflow; null: any number. */
  runs_at_once: Defaulted<number | null>;
};

export type GatewaysTable = {
  artifact_id: string;
  workspace_id: string;
  address: string;
  roles: Defaulted<string[]>;
  created_at: Defaulted<Date>;
  /** Of the directory. With `roles`: whose people may call it; both empty: everyone who may start runs. */
  groups: Defaulted<string[]>;
  /** With `clients`: whose calls are taken; both empty: those of any program. */
  keys: Defaulted<string[]>;
  clients: Defaulted<string[]>;
  /** Null: any number. */
  calls_a_minute: Defaulted<number | null>;
  caller_calls_a_minute: Defaulted<number | null>;
};

export type GatewayToolsTable = {
  id: string;
  workspace_id: string;
  gateway_id: string;
  capability_id: string;
  name: string;
  description: Defaulted<string>;
  fixed: JsonColumn<{ [name: string]: string }>;
  fingerprint: string;
  version_id: string;
  created_at: Defaulted<Date>;
};

export type DraftsTable = {
  workspace_id: string;
  artifact_id: string;
  revision: number;
  document: JsonColumn<Json>;
  author_id: string;
  created_at: Defaulted<Date>;
};

export type StepPinsTable = {
  workspace_id: string;
  artifact_id: string;
  step_id: string;
  output: JsonColumn<Json>;
  run_id: string;
  pinned_by: string;
  pinned_at: Defaulted<Date>;
};

export type VersionsTable = {
  id: string;
  workspace_id: string;
  artifact_id: string;
  number: Defaulted<number | null>;
  document: JsonColumn<Json>;
  content_hash: string;
  author_id: string;
  created_at: Defaulted<Date>;
};

export type TriggersTable = {
  id: string;
  workspace_id: string;
  artifact_id: string;
  kind: string;
  settings: JsonColumn<Json>;
  secret_sealed: Defaulted<Uint8Array | null>;
  enabled: Defaulted<boolean>;
  created_by: string;
  created_at: Defaulted<Date>;
  name: Defaulted<string>;
  next_at: Defaulted<Date | null>;
  last_at: Defaulted<Date | null>;
  last_run_id: Defaulted<string | null>;
  last_refusal: Defaulted<string | null>;
};

export type ConnectionsTable = {
  id: string;
  workspace_id: string;
  kind: ConnectionKind;
  name: string;
  slug: string;
  description: Defaulted<string>;
  endpoint: string;
  sealed_credential: Defaulted<Uint8Array | null>;
  settings: JsonColumn<Json>;
  status: Defaulted<ConnectionStatus>;
  personal_data_allowed: Defaulted<boolean>;
  /** It honours the idempotency key: a repeated call does nothing twice. */
  idempotent: Defaulted<boolean>;
  protocol_version: Defaulted<string | null>;
  last_check_at: Defaulted<Date | null>;
  last_error: JsonColumn<Json | null>;
  owner_id: string;
  created_at: Defaulted<Date>;
  updated_at: Defaulted<Date>;
  deleted_at: Defaulted<Date | null>;
  paused_at: Defaulted<Date | null>;
  next_check_at: Defaulted<Date>;
  failed_checks: Defaulted<number>;
  /** Null: any number. */
  calls_at_once: Defaulted<number | null>;
  calls_a_minute: Defaulted<number | null>;
};

/** Recent calls of a connection that has a limit or a pause. */
export type ConnectionTrafficTable = {
  connection_id: string;
  workspace_id: string;
  second: Defaulted<number>;
  counts: Defaulted<number[]>;
  paused_until: Defaulted<Date | null>;
  pauses: Defaulted<number>;
};

/** Why a call waits: too many under way, too many in the last minute, or the peer asked for fewer. */
export type CallWait = 'atOnce' | 'minute' | 'peer';

/** Calls that hold a place at a connection with limits, and steps that wait for one. */
export type ConnectionCallsTable = {
  run_id: string;
  path: string;
  workspace_id: string;
  connection_id: string;
  state: 'waiting' | 'granted' | 'calling';
  cause: Defaulted<CallWait | null>;
  expected_at: Defaulted<Date | null>;
  since: Defaulted<Date>;
  granted_at: Defaulted<Date | null>;
};

/** Events that came for steps that wait for one. */
export type RunEventsTable = {
  run_id: string;
  step_id: string;
  workspace_id: string;
  body: JsonColumn<Json>;
  received_at: Defaulted<Date>;
};

/** Texts of a run, for search: of one under way its input, of one that has ended also its output and its steps. */
export type RunTextsTable = {
  run_id: string;
  workspace_id: string;
  initiator_id: string;
  text: string;
};

/** One row: up to which transaction the log has been read for the texts of runs. */
export type RunTextMarkTable = {
  only_one: Defaulted<boolean>;
  read_to: Defaulted<string>;
};

export type CapabilitiesTable = {
  id: string;
  workspace_id: string;
  connection_id: string;
  kind: 'tool' | 'skill' | 'model';
  name: string;
  title: Defaulted<string>;
  description: Defaulted<string>;
  input_schema: JsonColumn<Json | null>;
  output_schema: JsonColumn<Json | null>;
  definition: JsonColumn<Json>;
  fingerprint: string;
  approved_fingerprint: Defaulted<string | null>;
  approved_definition: JsonColumn<Json | null>;
  approved_by: Defaulted<string | null>;
  approved_at: Defaulted<Date | null>;
  first_seen_at: Defaulted<Date>;
  last_seen_at: Defaulted<Date>;
  removed_at: Defaulted<Date | null>;
};

export type RunsTable = {
  id: string;
  workspace_id: string;
  artifact_id: string;
  version_id: string;
  mode: 'live' | 'test';
  trigger_kind: Defaulted<string>;
  initiator_id: string;
  parent_run_id: Defaulted<string | null>;
  status: Defaulted<RunStatus>;
  input: JsonColumn<Json>;
  output: JsonColumn<Json | null>;
  error: JsonColumn<Json | null>;
  attempt: Defaulted<number>;
  claimed_by: Defaulted<string | null>;
  wake: Defaulted<boolean>;
  cancel_requested_at: Defaulted<Date | null>;
  cancelled_by: Defaulted<string | null>;
  request_key: Defaulted<string | null>;
  created_at: Defaulted<Date>;
  started_at: Defaulted<Date | null>;
  finished_at: Defaulted<Date | null>;
  waiting_since: Defaulted<Date | null>;
  waiting_ms: Defaulted<number>;
  journal_hash: Defaulted<string | null>;
  updated_at: Defaulted<Date>;
  tokens_in: Defaulted<number | null>;
  tokens_out: Defaulted<number | null>;
  cost_micros: Defaulted<number | null>;
  /** Under which limit it waits for a place, or that it holds one and is about to be driven. */
  place: Defaulted<RunPlace | null>;
  /** The run whose step started this one, and the path of that step. */
  caller_run_id: Defaulted<string | null>;
  caller_path: Defaulted<string | null>;
  /** Of a test run of one step or a dry run: `RunTrial` as JSON. */
  trial: JsonColumn<Json | null>;
  /** Set by the database: it counts in the workspace. */
  number: Defaulted<number>;
  /** The subject: `SubjectPart[]` as JSON. */
  subject: JsonColumn<Json | null>;
};
export type RunPlace = 'workspace' | 'workflow' | 'granted';

/** `text`: null where only the length may be shown. */
export type PartialTextsTable = {
  run_id: string;
  path: string;
  workspace_id: string;
  begun_at: Date;
  written_at: Date;
  chars: number;
  text: Defaulted<string | null>;
};
export type TextReadersTable = {
  run_id: string;
  workspace_id: string;
  until: Date;
};
export type WatchingTable = {
  run_id: string;
  process_id: string;
  workspace_id: string;
  until: Date;
};

export type StepsTable = {
  run_id: string;
  workspace_id: string;
  path: string;
  step_id: string;
  position: Defaulted<number>;
  kind: StepKind;
  name: string;
  status: StepStatus;
  attempt: Defaulted<number>;
  run_attempt: number;
  idempotency_key: string;
  protocol: Defaulted<'mcp' | 'a2a' | null>;
  connection_id: Defaulted<string | null>;
  capability_id: Defaulted<string | null>;
  capability_fingerprint: Defaulted<string | null>;
  candidates: JsonColumn<Json | null>;
  reason: JsonColumn<Explanation | null>;
  input: JsonColumn<Json | null>;
  output: JsonColumn<Json | null>;
  error: JsonColumn<Json | null>;
  input_digest: Defaulted<string | null>;
  output_digest: Defaulted<string | null>;
  decision_id: Defaulted<string | null>;
  approval_id: Defaulted<string | null>;
  next_attempt_at: Defaulted<Date | null>;
  started_at: Defaulted<Date>;
  finished_at: Defaulted<Date | null>;
  tokens_in: Defaulted<number | null>;
  tokens_out: Defaulted<number | null>;
  cost_micros: Defaulted<number | null>;
  frames: JsonColumn<Json | null>;
  agent_id: Defaulted<string | null>;
  /** A row of one item of a loop: the loop's path, and the number of the item from 0. */
  item_of: Defaulted<string | null>;
  item_index: Defaulted<number | null>;
  /** The path of the nearest item around the row. */
  within: Defaulted<string | null>;
};

export type StepAttemptsTable = {
  workspace_id: string;
  run_id: string;
  path: string;
  attempt: number;
  error: JsonColumn<Json>;
  failed_at: Defaulted<Date>;
};

export type DecisionsTable = {
  id: string;
  workspace_id: string;
  run_id: string;
  step_path: string;
  attempt: number;
  action: string;
  verdict: Verdict;
  rules: JsonColumn<Json>;
  reason: JsonColumn<Explanation>;
  context: JsonColumn<Json>;
  action_digest: string;
  policy_version: string;
  decided_at: Defaulted<Date>;
};

export type ApprovalsTable = {
  id: string;
  workspace_id: string;
  /** The subject of the decision: a step of a run, what became of a step's call, or the release of the workspace from its halt (then there is no run). */
  subject_kind: Defaulted<'step' | 'outcome' | 'release'>;
  run_id: Defaulted<string | null>;
  step_path: string;
  title: string;
  subject: JsonColumn<Json>;
  action_digest: string;
  reason: JsonColumn<Explanation>;
  risk: Risk;
  role: Defaulted<string>;
  quorum: Defaulted<number>;
  status: Defaulted<ApprovalStatus>;
  requested_by: string;
  version_author_id: string;
  created_at: Defaulted<Date>;
  due_at: Date;
  decided_at: Defaulted<Date | null>;
  consumed_at: Defaulted<Date | null>;
  consumed_key: Defaulted<string | null>;
  /** The member whose duty it is; null: everyone's who may decide. It gives nobody a right to vote. */
  assigned_to: Defaulted<string | null>;
  assignments: Defaulted<number>;
  remind_at: Defaulted<Date | null>;
  reminders: Defaulted<number>;
  /** What who approves signs for, with their password whatever the risk; null: they say it themselves. */
  meaning: Defaulted<AskedMeaning | null>;
  /** Groups of the directory, in each of which who decides is; null: it is asked of no group. */
  groups: Defaulted<string[] | null>;
  /** How who decides proves that it is them, whatever the risk; null: as the risk and the meaning ask. */
  reauthenticate: Defaulted<'password' | 'factor' | null>;
  /** Words to search for, and the amounts of its action: both generated. */
  words: Defaulted<string | null>;
  amounts: Defaulted<number[] | null>;
  deputy_told: Defaulted<string | null>;
  deputy_told_at: Defaulted<Date | null>;
  role_told_at: Defaulted<Date | null>;
};

/** A deputy takes a member's approvals while the member is away. Without `from_at` and `until_at` they are only told of what is nearly due. */
export type DeputiesTable = {
  id: string;
  workspace_id: string;
  user_id: string;
  deputy_id: string;
  from_at: Defaulted<Date | null>;
  until_at: Defaulted<Date | null>;
  reason: Defaulted<string>;
  named_by: string;
  created_at: Defaulted<Date>;
  ended_at: Defaulted<Date | null>;
  told_at: Defaulted<Date | null>;
};

/** An incident; `touches`: runs, agents and connections that it is about. Its reports are its entries, and when they are due stands in its clocks. */
export type IncidentsTable = {
  id: string;
  workspace_id: string;
  number: number;
  title: string;
  happened: string;
  severity: 'low' | 'medium' | 'high';
  harm: Defaulted<'death' | 'widespread' | null>;
  noticed_at: Date;
  classified_at: Defaulted<Date | null>;
  regimes: Defaulted<IncidentRegime[]>;
  touches: JsonColumn<Json>;
  recorded_by: string;
  recorded_at: Defaulted<Date>;
  closed_at: Defaulted<Date | null>;
  root_cause: Defaulted<string | null>;
};
type IncidentRegime = 'dora' | 'nis2' | 'aiAct' | 'gdpr';
type IncidentReport = 'initial' | 'intermediate' | 'warning' | 'notification' | 'report' | 'final';

/** An entry is never changed: of a report the last one counts. */
export type IncidentEntriesTable = {
  id: string;
  workspace_id: string;
  incident_id: string;
  kind: 'assessed' | 'reported' | 'noted' | 'closed';
  regime: Defaulted<IncidentRegime | null>;
  step: Defaulted<IncidentReport | null>;
  sent_at: Defaulted<Date | null>;
  reference: Defaulted<string>;
  note: Defaulted<string>;
  before: JsonColumn<Json | null>;
  after: JsonColumn<Json | null>;
  made_by: string;
  made_at: Defaulted<Date>;
};

/** Without `due_at` a clock starts with an earlier report. */
export type IncidentClocksTable = {
  workspace_id: string;
  incident_id: string;
  regime: IncidentRegime;
  step: IncidentReport;
  place: number;
  cited: string;
  due_at: Defaulted<Date | null>;
  near_at: Defaulted<Date | null>;
  sent_at: Defaulted<Date | null>;
  near_told_at: Defaulted<Date | null>;
  over_told_at: Defaulted<Date | null>;
};

/** A replay of past decisions under a policy's text, which a worker makes; see `supabase/schemas/66_policy_replays.sql`. */
export type PolicyReplaysTable = {
  id: string;
  workspace_id: string;
  policy_id: string;
  text: string;
  digest: string;
  is_draft: boolean;
  from_at: Date;
  until_at: Date;
  status: Defaulted<ReplayStatus>;
  requested_by: string;
  requested_at: Defaulted<Date>;
  started_at: Defaulted<Date | null>;
  ended_at: Defaulted<Date | null>;
  fence: Defaulted<number>;
  lease_until: Defaulted<Date | null>;
  policy_version: Defaulted<string | null>;
  total_runs: Defaulted<number>;
  cursor_at: Defaulted<Date | null>;
  cursor_run: Defaulted<string | null>;
  runs: Defaulted<number>;
  decided: Defaulted<number>;
  unreadable: Defaulted<number>;
  changed: Defaulted<number>;
  changed_runs: Defaulted<number>;
  totals: JsonColumn<Json>;
};

/** A decision that would have been another one. */
export type PolicyReplayChangesTable = {
  replay_id: string;
  workspace_id: string;
  decision_id: string;
  run_id: string;
  run_at: Date;
  step_path: string;
  capability: string;
  was: Verdict;
  would: Verdict;
  reason: JsonColumn<Explanation>;
  money: JsonColumn<Json>;
  /** The money is its run's: the call names none. */
  of_run: Defaulted<boolean>;
};

/** A person's word that a control operates, for so many months; never changed. */
export type AttestationsTable = {
  id: string;
  workspace_id: string;
  control: string;
  note: string;
  months: number;
  attested_by: string;
  attested_at: Defaulted<Date>;
};

/** A version of an agent's impact assessment; never changed. */
export type ImpactAssessmentsTable = {
  id: string;
  workspace_id: string;
  agent_id: string;
  number: number;
  answers: JsonColumn<Json>;
  facts: JsonColumn<Json>;
  made_by: string;
  made_at: Defaulted<Date>;
};

/** An agent's record in the inventory; `review_on` and `told_of` are days of the calendar. */
export type AgentRecordsTable = {
  agent_id: string;
  workspace_id: string;
  owner_id: Defaulted<string | null>;
  purpose: Defaulted<string>;
  risk_class: Defaulted<'minimal' | 'limited' | 'high' | 'prohibited' | null>;
  data_classes: Defaulted<string[]>;
  review_on: Defaulted<Date | null>;
  reviewed_by: string;
  reviewed_at: Defaulted<Date>;
  told_of: Defaulted<Date | null>;
};

/** The form that a step asks a person to fill in; `fields` are input fields. Exactly one of `role` and `user_id` is set. */
export type HumanTasksTable = {
  id: string;
  workspace_id: string;
  run_id: string;
  step_path: string;
  title: string;
  /** The name of the workflow, as it was. */
  workflow: string;
  question: string;
  shown: JsonColumn<Json>;
  fields: JsonColumn<Json>;
  role: Defaulted<string | null>;
  user_id: Defaulted<string | null>;
  status: Defaulted<'pending' | 'answered' | 'expired' | 'withdrawn'>;
  answer: JsonColumn<Json | null>;
  answered_by: Defaulted<string | null>;
  created_at: Defaulted<Date>;
  due_at: Date;
  answered_at: Defaulted<Date | null>;
  late: Defaulted<'fail' | 'continue' | 'keep'>;
  remind_at: Defaulted<Date | null>;
  /** Each time that it was passed on: [{ by, to, reason, at }], members by their ids. */
  passes: JsonColumn<Json>;
};

export type ApprovalVotesTable = {
  workspace_id: string;
  approval_id: string;
  user_id: string;
  voter_name: string;
  vote: Vote;
  reason: Defaulted<string>;
  action_digest: string;
  method: SignatureMethod;
  meaning: Defaulted<SignatureMeaning | null>;
  zone: Defaulted<string | null>;
  voted_at: Defaulted<Date>;
};

/** `question_id`: of an answer, the question. Name and text are empty once the person is erased. */
export type ApprovalCommentsTable = {
  id: string;
  workspace_id: string;
  approval_id: string;
  author_id: string;
  author_name: string;
  kind: 'comment' | 'question' | 'answer';
  question_id: Defaulted<string | null>;
  text: string;
  written_at: Defaulted<Date>;
};

export type ControlTermsTable = {
  workspace_id: string;
  user_id: string;
  since: Defaulted<Date>;
  until: Defaulted<Date | null>;
  role: 'admin' | 'approver';
};

export type ControlChangesTable = {
  id: string;
  workspace_id: string;
  kind: ControlKind;
  resource_id: string;
  subject: JsonColumn<Json>;
  digest: string;
  requested_by: string;
  status: Defaulted<ControlStatus>;
  created_at: Defaulted<Date>;
  due_at: Date;
  decided_at: Defaulted<Date | null>;
};

export type ControlSecretsTable = {
  change_id: string;
  workspace_id: string;
  secret: Uint8Array;
};

/** `export`: what may leave, `taken`: the files of it that have left. */
export type EvidenceGrantsTable = {
  change_id: string;
  workspace_id: string;
  user_id: string;
  export: JsonColumn<Json>;
  granted_at: Defaulted<Date>;
  ends_at: Date;
  taken: Defaulted<string[]>;
};

export type BreakGlassTable = {
  change_id: string;
  workspace_id: string;
  resource_id: string;
  user_id: string;
  reason: string;
  started_at: Defaulted<Date>;
  ends_at: Date;
  ended_at: Defaulted<Date | null>;
  ended_by: Defaulted<string | null>;
  outcome: Defaulted<BreakGlassOutcome | null>;
  held: JsonColumn<Json | null>;
  method: FreshMethod;
};

export type ControlVotesTable = {
  workspace_id: string;
  change_id: string;
  user_id: string;
  voter_name: string;
  vote: ControlVote;
  reason: Defaulted<string>;
  digest: string;
  voted_at: Defaulted<Date>;
  method: FreshMethod;
  meaning: Defaulted<SignatureMeaning | null>;
  zone: Defaulted<string | null>;
};

export type AuditEventsTable = {
  id: string;
  workspace_id: string;
  actor_kind: 'member' | 'key' | 'trigger' | 'peer' | 'worker' | 'system' | 'directory';
  actor_id: Defaulted<string | null>;
  actor_name: Defaulted<string | null>;
  action: string;
  resource_kind: string;
  resource_id: string;
  resource_name: Defaulted<string | null>;
  payload: JsonColumn<Json>;
  salt: Defaulted<Uint8Array | null>;
  at: Defaulted<Date>;
  xid: Defaulted<string>;
  body_digest: Defaulted<Uint8Array | null>;
  leaf_index: Defaulted<number | null>;
  leaf_hash: Defaulted<Uint8Array | null>;
};

export type AuditNodesTable = {
  workspace_id: string;
  level: number;
  idx: number;
  hash: Uint8Array;
};

export type CheckpointsTable = {
  workspace_id: string;
  size: number;
  root: Uint8Array;
  note: string;
  signed_at: Defaulted<Date>;
  delivered_at: Defaulted<Date | null>;
};

/** The line that a witness signed under a checkpoint; `witness` is its verifier key. */
export type CosignaturesTable = {
  workspace_id: string;
  size: number;
  witness: string;
  line: string;
  signed_at: Date;
};

/** An authority's time stamp on the text of a checkpoint: its answer, DER. */
export type TimeStampsTable = {
  workspace_id: string;
  size: number;
  authority: string;
  answer: Uint8Array;
  signed_at: Date;
};

/** The last word of a witness (`party`: its verifier key) or of the authority for time stamps (its address). */
/** Faults of a witness or an authority. */
export type WatcherFault = 'away' | 'unknownLog' | 'keyRefused' | 'badAnswer' | 'disagrees';

export type WatchersTable = {
  workspace_id: string;
  party: string;
  kind: 'witness' | 'authority';
  asked_at: Date;
  size: Defaulted<number | null>;
  signed_at: Defaulted<Date | null>;
  fault: Defaulted<WatcherFault | null>;
  fault_since: Defaulted<Date | null>;
  told: Defaulted<boolean>;
  said: Defaulted<string | null>;
};

/** Where the log's audit of itself is, and what it found. Written by functions of the database alone. */
export type LogAuditsTable = {
  workspace_id: string;
  next_at: Defaulted<Date>;
  sampled_at: Defaulted<Date | null>;
  whole_from: Defaulted<number | null>;
  whole_at: Defaulted<Date | null>;
  finding: JsonColumn<Json | null>;
  found_at: Defaulted<Date | null>;
  mailed_at: Defaulted<Date | null>;
  watched_at: Defaulted<Date | null>;
  watched_size: Defaulted<number | null>;
};

/** The workers that are alive. Written by functions of the database alone. */
export type WorkerLeasesTable = {
  worker_id: string;
  renewed_at: Date;
  revoked: Defaulted<boolean>;
};

export type Tables = {
  'public.profiles': ProfilesTable;
  'quorate.workspaces': WorkspacesTable;
  'quorate.members': MembersTable;
  'quorate.invitations': InvitationsTable;
  'quorate.api_keys': ApiKeysTable;
  'quorate.authorization_records': AuthorizationRecordsTable;
  'quorate.user_sessions': UserSessionsTable;
  'quorate.preferences': PreferencesTable;
  'quorate.notifications': NotificationsTable;
  'quorate.deliveries': DeliveriesTable;
  'quorate.recovery_codes': RecoveryCodesTable;
  'quorate.recovered_sessions': RecoveredSessionsTable;
  'quorate.passkeys': PasskeysTable;
  'quorate.used_challenges': UsedChallengesTable;
  'quorate.authenticators': AuthenticatorsTable;
  'quorate.session_factors': SessionFactorsTable;
  'quorate.reauthentications': ReauthenticationsTable;
  'quorate.avatars': AvatarsTable;
  'quorate.files': FilesTable;
  'quorate.run_files': RunFilesTable;
  'quorate.file_removals': FileRemovalsTable;
  'quorate.member_settings': MemberSettingsTable;
  'quorate.saved_views': SavedViewsTable;
  'quorate.group_roles': GroupRolesTable;
  'quorate.identity_providers': IdentityProvidersTable;
  'quorate.saml_keys': SamlKeysTable;
  'quorate.verified_domains': VerifiedDomainsTable;
  'quorate.company_identities': CompanyIdentitiesTable;
  'quorate.company_sessions': CompanySessionsTable;
  'quorate.company_one_time': CompanyOneTimeTable;
  'quorate.gateways': GatewaysTable;
  'quorate.gateway_tools': GatewayToolsTable;
  'quorate.registries': RegistriesTable;
  'quorate.oauth_clients': OauthClientsTable;
  'quorate.oauth_grants': OauthGrantsTable;
  'quorate.oauth_consents': OauthConsentsTable;
  'quorate.directory_tokens': DirectoryTokensTable;
  'quorate.directory_people': DirectoryPeopleTable;
  'quorate.directory_groups': DirectoryGroupsTable;
  'quorate.directory_group_people': DirectoryGroupPeopleTable;
  'quorate.directory_refusals': DirectoryRefusalsTable;
  'quorate.sign_in_waits': SignInWaitsTable;
  'quorate.watches': WatchesTable;
  'quorate.process_key': ProcessKeyTable;
  'quorate.rate_limits': RateLimitsTable;
  'quorate.newsletter_subscribers': NewsletterSubscribersTable;
  'quorate.contact_requests': ContactRequestsTable;
  'quorate.caught_mails': CaughtMailsTable;
  'quorate.artifacts': ArtifactsTable;
  'quorate.drafts': DraftsTable;
  'quorate.step_pins': StepPinsTable;
  'quorate.versions': VersionsTable;
  'quorate.triggers': TriggersTable;
  'quorate.connections': ConnectionsTable;
  'quorate.connection_traffic': ConnectionTrafficTable;
  'quorate.connection_calls': ConnectionCallsTable;
  'quorate.capabilities': CapabilitiesTable;
  'quorate.runs': RunsTable;
  'quorate.steps': StepsTable;
  'quorate.step_attempts': StepAttemptsTable;
  'quorate.run_events': RunEventsTable;
  'quorate.run_texts': RunTextsTable;
  'quorate.run_text_mark': RunTextMarkTable;
  'quorate.watching': WatchingTable;
  'quorate.partial_texts': PartialTextsTable;
  'quorate.text_readers': TextReadersTable;
  'quorate.worker_leases': WorkerLeasesTable;
  'quorate.decisions': DecisionsTable;
  'quorate.approvals': ApprovalsTable;
  'quorate.deputies': DeputiesTable;
  'quorate.incidents': IncidentsTable;
  'quorate.incident_entries': IncidentEntriesTable;
  'quorate.incident_clocks': IncidentClocksTable;
  'quorate.policy_replays': PolicyReplaysTable;
  'quorate.policy_replay_changes': PolicyReplayChangesTable;
  'quorate.attestations': AttestationsTable;
  'quorate.impact_assessments': ImpactAssessmentsTable;
  'quorate.agent_records': AgentRecordsTable;
  'quorate.human_tasks': HumanTasksTable;
  'quorate.approval_votes': ApprovalVotesTable;
  'quorate.approval_comments': ApprovalCommentsTable;
  'quorate.control_terms': ControlTermsTable;
  'quorate.control_changes': ControlChangesTable;
  'quorate.control_secrets': ControlSecretsTable;
  'quorate.evidence_grants': EvidenceGrantsTable;
  'quorate.break_glass': BreakGlassTable;
  'quorate.control_votes': ControlVotesTable;
  'quorate.audit_events': AuditEventsTable;
  'quorate.audit_nodes': AuditNodesTable;
  'quorate.checkpoints': CheckpointsTable;
  'quorate.cosignatures': CosignaturesTable;
  'quorate.time_stamps': TimeStampsTable;
  'quorate.watchers': WatchersTable;
  'quorate.log_audits': LogAuditsTable;
};
