import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '#app/contracts/json.ts';
import type { Plan } from '#app/contracts/people.ts';
import type { Log } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import type { RunStatus, StepStatus, Vote } from '#app/contracts/statuses.ts';
import type { RunFile } from '#app/domain/documents/run-file.ts';
import type { Claim, ClaimAnswer } from '#app/domain/runs/claim.ts';
import type { EndedItem, JournalStep, LocalStep, RunError } from '#app/domain/runs/run-state.ts';
import type { Circumstances } from '#app/engine/policy/decision-request.ts';

/** One statement in a session of the worker's role, committed on its own. `pg.Pool.query` is one. */
export type Statement = (query: { name: string; text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;

/** `user` null: the workspace's account is needed. Times as ISO 8601. */
export type SignInWait = { connection: string; user: string | null; host: string; scope: string | null; since: string; dueAt: string };

export type ApprovalAnswer = {
  id: string;
  dueAt: string;
  votes?: { name: string; vote: Vote; reason: string }[];
};
/** `place`: the end of the call frees a place at its connection. `full`: the connection takes no call now, and the step stands in line. */
export type StepStart =
  | { state: 'started'; place?: boolean }
  | { state: 'full' | 'refused' | 'halted' | 'cancelled' | 'fenced' }
  | { state: 'stale'; revision: number }
  | { state: 'done'; status: JournalStep['status']; output: Json | null; error: RunError | null }
  | ({ state: 'waiting' } & ApprovalAnswer)
  | ({ state: 'rejected' | 'expired' | 'withdrawn' } & ApprovalAnswer);
/** Of a step that a dry run does not carry out. */
export type StepNoted = { state: 'noted' | 'halted' | 'cancelled' | 'fenced' } | { state: 'stale'; revision: number };
export type OutcomeAsked = { state: 'waiting'; dueAt: string } | { state: 'halted' | 'cancelled' | 'fenced' };
/** `none`: the step does not wait for an answer about its call. */
export type OutcomeAnswer =
  | { state: 'none' | 'again' | 'done' | 'cancelled' | 'fenced' }
  | ({ state: 'waiting' | 'rejected' | 'expired' | 'withdrawn' } & ApprovalAnswer);
export type ApprovalStart =
  | { state: 'halted' }
  | { state: 'cancelled' }
  | { state: 'fenced' }
  | ({ state: 'waiting' } & ApprovalAnswer)
  | ({ state: 'approved' } & ApprovalAnswer)
  | ({ state: 'rejected' | 'expired' | 'withdrawn' } & ApprovalAnswer);
/** `related`: runs around it that walk on now, for the caller to queue. */
export type RunClose = { state: 'closed'; at: string; related: string[] } | { state: 'closed' | 'cancelled' | 'fenced'; at?: never };
/** Rows of the journal as the database writes them in JSON: columns by their names, times as text. */
export type SettledRows = { steps: { [column: string]: Json }[]; decisions: { [column: string]: Json }[] };
/** `unknown`: no such workflow or version; `paused`: not in force; `cycle`: it waits for this run already; `deep`: too many wait for one another. */
export type CalledWorkflow =
  | { state: 'unknown' }
  | { state: 'paused' | 'cycle' | 'deep'; name: string }
  | { state: 'found'; versionId: string; number: number; name: string; plan: Plan; trialEndsAt: string | null };
/** `full`: the plan's executions of the month are used up. */
export type CalledRunStart = { state: 'started' | 'full' | 'halted' | 'cancelled' | 'fenced' };
/** `recipients`: the people that it went to, now or when it was sent the first time. */
export type Message = { title: string; to: string[]; members: string[]; mail: boolean };
/** `unknown`: addresses that are no member's; `unseen`: those of members who do not see the run. Nobody was notified. */
export type MessageSent =
  | { state: 'sent'; recipients: number }
  | { state: 'unknown' | 'unseen'; addresses: string[] }
  | { state: 'halted' | 'cancelled' | 'fenced' };
/** `full`: the run has as many files, or bytes in them, as one may have. */
export type FileKept = { state: 'kept'; id: string } | { state: 'full' } | { state: 'halted' | 'cancelled' | 'fenced' };
/** `nobody`: no member is meant. `by`: the name of who answered. `dueAt`: null where it stays open when its time is over. */
export type TaskAnswer =
  | { state: 'waiting' | 'answered' | 'expired' | 'withdrawn'; id: string; dueAt: string | null; answer: Json; by: string | null }
  | { state: 'nobody' | 'halted' | 'cancelled' | 'fenced' };
/** `related`: runs that its steps have started, which the caller queues. `cancelled`: so it was meanwhile. */
/** The run that a step goes on with. `changed`: somebody has put other data into it. */
export type CallBefore = {
  runId: string;
  status: RunStatus;
  number: number;
  name: string;
  input: { [name: string]: Json };
  output: Json;
  changed: boolean;
  statuses: { [path: string]: StepStatus };
};
type StepsLeft = { state: 'fenced' | 'halted' | 'cancelled' } | { state: 'left'; related: string[] };
export type CleanupBegun = { state: 'begun'; related: string[] } | { state: 'cancelled' | 'fenced' };
export type CalledRun = { runId: string; status: RunStatus; output: Json; error: RunError | null; changed: boolean };
export type StepResult = {
  status: 'success' | 'error' | 'pending';
  output?: Json;
  outputDigest?: string;
  error?: RunError | null;
  nextAttemptAt?: string;
  usage?: { tokensIn: number; tokensOut: number; costMicros: number | null };
  frames?: Json;
};

/** Written against the functions of `supabase/schemas`: each call is one statement, and saying it twice is the same as once. */
export type RunStore = ReturnType<typeof createRunStore>;

export function createRunStore(options: { statement: Statement; log: Log; signal: AbortSignal }) {
  const ask = createAsk(options);
  return {
    ...claimsAndPlaces(ask),
    ...journal(ask),
    ...dryRuns(ask),
    ...calledRuns(ask),
    ...signInWaits(ask),
    ...failures(ask),
    ...lists(ask),
  };
}

type Ask = ReturnType<typeof createAsk>;

function createAsk({ statement, log, signal }: { statement: Statement; log: Log; signal: AbortSignal }) {
  async function call<T>(name: string, text: string, values: unknown[]): Promise<T[]> {
    const { rows } = await again(() => statement({ name, text, values }), log, signal);
    return rows as T[];
  }
  async function answer<T>(name: string, text: string, values: unknown[]): Promise<T> {
    const [row] = await call<{ a: T }>(name, text, values);
    if (row === undefined) throw new Error(`${name} answered nothing`);
    return row.a;
  }
  async function runs(name: string, text: string, values: unknown[]): Promise<RunRef[]> {
    const rows = await call<{ run_id: string; workspace_id: string }>(name, text, values);
    return rows.map((row) => ({ runId: row.run_id, workspaceId: row.workspace_id }));
  }
  return { call, answer, runs };
}

const rowsOf = (local: readonly LocalStep[]) => (local.length === 0 ? null : JSON.stringify(local));

function claimsAndPlaces({ call, answer, runs }: Ask) {
  return {
    /** `ceiling`: of the instance, for the runs of one workspace that are driven at once. */
    claim: async (run: RunRef, workerId: string, ceiling: number | null): Promise<ClaimAnswer> => {
      const [row] = await call<{ a: Claim; granted: string[]; limited: boolean }>(
        'q_claim',
        'select a, granted, limited from quorate.claim_run_within_limits($1, $2, $3, $4)',
        [run.workspaceId, run.runId, workerId, ceiling],
      );
      if (row === undefined) throw new Error('q_claim answered nothing');
      return { claim: row.a, limited: row.limited, granted: row.granted };
    },
    /** What lies outside a run and its policies ask for. `zone`: of the workspace's day; `payee`: as `payeeOf` names it. */
    readOutside: (run: RunRef, { path, zone, payee }: { path: string; zone: string; payee: string | null }) =>
      answer<NonNullable<Circumstances['outside']>>('q_outside', 'select quorate.read_outside($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        path,
        zone,
        payee,
      ]),
    /** Gives out the places that are free in a workspace. Returns the runs that got one, which the caller queues. */
    freePlace: (workspaceId: string, ceiling: number | null) =>
      answer<string[]>('q_free_place', 'select quorate.free_place($1, $2) as a', [workspaceId, ceiling]),
    freePlaces: (ceiling: number | null) => runs('q_free_places', 'select run_id, workspace_id from quorate.free_places($1)', [ceiling]),
    /**
     * Ends the place of a step's call, where it holds one. Returns the runs that got a place at the connection, which the caller queues.
     */
    freeCall: (run: RunRef, connectionId: string, path: string) =>
      answer<string[]>('q_free_call', 'select quorate.free_call($1, $2, $3, $4) as a', [run.workspaceId, connectionId, run.runId, path]),
    /** Grants free places at all connections with a queue. Returns the runs, which the caller queues. */
    freeCalls: () => runs('q_free_calls', 'select run_id, workspace_id from quorate.free_calls()', []),
    /** Pauses all calls of a connection whose peer refused one for load. `seconds`: as it asked; null: it named no time. */
    pauseCalls: async (workspaceId: string, connectionId: string, seconds: number | null): Promise<Date> =>
      new Date(
        await answer<string | Date>('q_pause_calls', 'select quorate.pause_calls($1, $2, $3) as a', [workspaceId, connectionId, seconds]),
      ),
  };
}

/** The writes of a run's journal: each is refused once another worker has claimed the run. */
function journal({ call, answer }: Ask) {
  return {
    wake: (run: RunRef) => call('q_wake', 'select quorate.wake_run($1, $2)', [run.workspaceId, run.runId]),
    /** The event that has come for a step, or null. */
    readEvent: (run: RunRef, attempt: number, stepId: string) =>
      answer<{ body: Json; at: string } | null>('q_event', 'select quorate.read_event($1, $2, $3, $4) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        stepId,
      ]),
    startStep: (run: RunRef, attempt: number, revision: number, step: Json, local: readonly LocalStep[]) =>
      answer<StepStart>('q_start', 'select quorate.start_step($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        revision,
        JSON.stringify(step),
        rowsOf(local),
      ]),
    askApproval: (run: RunRef, attempt: number, step: Json, local: readonly LocalStep[]) =>
      answer<ApprovalStart>('q_ask', 'select quorate.ask_approval($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        JSON.stringify(step),
        rowsOf(local),
      ]),
    askOutcome: (run: RunRef, attempt: number, path: string, question: Json, local: readonly LocalStep[]) =>
      answer<OutcomeAsked>('q_outcome', 'select quorate.ask_outcome($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        JSON.stringify(question),
        rowsOf(local),
      ]),
    settleOutcome: (run: RunRef, attempt: number, path: string, eventId: string, confirmed: string) =>
      answer<OutcomeAnswer>('q_settle_outcome', 'select quorate.settle_outcome($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        eventId,
        confirmed,
      ]),
    finishStep: (run: RunRef, attempt: number, path: string, result: StepResult, local: readonly LocalStep[]) =>
      answer<{ state: 'ok' | 'fenced' | 'halted'; cancelled?: boolean }>(
        'q_finish',
        'select quorate.finish_step($1, $2, $3, $4, $5, $6) as a',
        [run.workspaceId, run.runId, attempt, path, JSON.stringify(result), rowsOf(local)],
      ),
    journal: (run: RunRef, attempt: number, local: readonly LocalStep[]) =>
      answer<{ state: 'ok' | 'fenced' | 'halted' | 'cancelled' }>('q_journal', 'select quorate.journal_local_steps($1, $2, $3, $4) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        JSON.stringify(local),
      ]),
    suspend: (run: RunRef, attempt: number, local: readonly LocalStep[]) =>
      answer<{ state: 'parked' | 'wake' | 'fenced' }>('q_park', 'select quorate.park_run($1, $2, $3, $4) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        rowsOf(local),
      ]),
    settle: (run: RunRef, attempt: number, local: readonly LocalStep[]) =>
      answer<SettledRows | { halted: true }>('q_settle', 'select quorate.settle_run($1, $2, $3, $4) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        rowsOf(local),
      ]),
    close: (run: RunRef, attempt: number, close: Json) =>
      answer<RunClose>('q_close', 'select quorate.close_run($1, $2, $3, $4) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        JSON.stringify(close),
      ]),
  };
}

function dryRuns({ answer }: Ask) {
  return {
    /** Writes a step that a dry run does not carry out, with the decision on it and the output that stands in for its own. */
    noteStep: (run: RunRef, attempt: number, revision: number, step: Json, output: Json, local: readonly LocalStep[]) =>
      answer<StepNoted>('q_note', 'select quorate.note_step($1, $2, $3, $4, $5, $6, $7) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        revision,
        JSON.stringify(step),
        JSON.stringify(output),
        rowsOf(local),
      ]),
  };
}

/** Of steps that run another workflow, keep or read files, and notify or ask people. */
function calledRuns({ answer }: Ask) {
  return {
    findCalledWorkflow: (run: RunRef, attempt: number, workflowId: string, version: number | null) =>
      answer<CalledWorkflow>('q_find_called', 'select quorate.find_called_workflow($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        workflowId,
        version,
      ]),
    /** The run that a step goes on with, in a version with this number (null: any); null: it was deleted. */
    readCallBefore: (run: RunRef, attempt: number, path: string, version: number | null) =>
      answer<CallBefore | null>('q_call_before', 'select quorate.read_call_before($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        version,
      ]),
    startCalledRun: (run: RunRef, attempt: number, path: string, call: Json, local: readonly LocalStep[]) =>
      answer<CalledRunStart>('q_start_called', 'select quorate.start_called_run($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        JSON.stringify(call),
        rowsOf(local),
      ]),
    sendMessage: (run: RunRef, attempt: number, path: string, message: Message, local: readonly LocalStep[]) =>
      answer<MessageSent>('q_message', 'select quorate.send_message($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        JSON.stringify(message),
        rowsOf(local),
      ]),
    /** Names a document that a step makes, before its content is stored. */
    keepFile: (
      run: RunRef,
      attempt: number,
      path: string,
      file: Omit<RunFile, 'file'> & { id: string; storedName: string },
      local: readonly LocalStep[],
    ) =>
      answer<FileKept>('q_keep_file', 'select quorate.keep_run_file($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        JSON.stringify(file),
        rowsOf(local),
      ]),
    /** A file that a step reads, as far as whoever started the run may see it. */
    findFile: (run: RunRef, attempt: number, file: string) =>
      answer<{ name: string; sha256: string; storedName: string } | null>(
        'q_find_file',
        'select quorate.find_run_file($1, $2, $3, $4) as a',
        [run.workspaceId, run.runId, attempt, file],
      ),
    /** Asks a person the first time; later, what has become of it. */
    askHumanTask: (run: RunRef, attempt: number, step: Json, local: readonly LocalStep[]) =>
      answer<TaskAnswer>('q_task', 'select quorate.ask_human_task($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        JSON.stringify(step),
        rowsOf(local),
      ]),
    /** The run that a step has started; null: none, or it was deleted. */
    readCalledRun: (run: RunRef, attempt: number, path: string) =>
      answer<CalledRun | null>('q_called', 'select quorate.read_called_run($1, $2, $3, $4) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
      ]),
  };
}

/** Of calls that wait for people. */
function signInWaits({ answer }: Ask) {
  return {
    /** Lets a step that is written as pending wait for a person's sign-in; those who can give it are told. */
    awaitSignIn: (run: RunRef, attempt: number, path: string, wait: SignInWait) =>
      answer<{ state: 'waiting' | 'ready' | 'over' | 'fenced' }>('q_sign_in', 'select quorate.await_sign_in($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        path,
        JSON.stringify(wait),
      ]),
  };
}

/** Of what follows where a step has failed. */
function failures({ answer }: Ask) {
  return {
    /** Ends steps that are still open, with what they ask people for and the runs that they have called: the run moves past them. */
    leaveSteps: (
      run: RunRef,
      attempt: number,
      left: { within: string; paths: readonly string[]; error: RunError; eventId: string },
      local: readonly LocalStep[],
    ) =>
      answer<StepsLeft>('q_leave', 'select quorate.leave_steps($1, $2, $3, $4, $5) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        JSON.stringify(left),
        rowsOf(local),
      ]),
    /** From here on the steps for this end of the run count: `row` is that of the step that holds them. */
    beginCleanup: (run: RunRef, attempt: number, cleanup: { row: LocalStep; eventId: string }, local: readonly LocalStep[]) =>
      answer<CleanupBegun>('q_cleanup', 'select quorate.begin_cleanup($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        cleanup.eventId,
        JSON.stringify([cleanup.row]),
        rowsOf(local),
      ]),
  };
}

function lists({ call, answer, runs }: Ask) {
  return {
    listCancelled: async (workerId: string) =>
      (await call<{ run_id: string }>('q_cancelled', 'select run_id from quorate.list_cancelled_runs($1)', [workerId])).map(
        (row) => row.run_id,
      ),
    listClaimed: (workerId: string) => runs('q_claimed', 'select run_id, workspace_id from quorate.list_claimed_runs($1)', [workerId]),
    listStalled: () => runs('q_stalled', 'select run_id, workspace_id from quorate.list_stalled_runs()', []),
    /** Ended items of a loop in their order, from one number on. */
    readItems: (run: RunRef, attempt: number, loop: string, from: number, limit: number) =>
      answer<EndedItem[]>('q_items', 'select quorate.read_items($1, $2, $3, $4, $5, $6) as a', [
        run.workspaceId,
        run.runId,
        attempt,
        loop,
        from,
        limit,
      ]),
    readVersion: (workspaceId: string, versionId: string) =>
      answer<Json>('q_version', 'select quorate.read_version($1, $2) as a', [workspaceId, versionId]),
    readConfig: (workspaceId: string) => answer<Json>('q_config', 'select quorate.read_run_config($1) as a', [workspaceId]),
    readRecords: (workspaceId: string) =>
      call<{ capability_id: string; calls: number; errors: number; p95_ms: number }>(
        'q_records',
        'select * from quorate.read_capability_records($1)',
        [workspaceId],
      ),
  };
}

/** The fence is gone: another worker drives this run, and nothing that this one still says counts. */
export function isFenceLost(error: unknown): boolean {
  return codeOf(error) === 'QR003';
}

const FIRST_WAIT_MS = 40;
const MAX_WAIT_MS = 1_000;

/** Repeats a statement while the database is away or two of them met in a deadlock. The fence decides what still counts. */
async function again<T>(work: () => Promise<T>, log: Log, signal: AbortSignal): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MAX_WAIT_MS, wait * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      if (wait === FIRST_WAIT_MS) log.warn('journal statement repeated', { code: codeOf(error) });
      await pause(wait * (0.5 + Math.random() / 2), undefined, { signal });
    }
  }
}

const PASSING_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '40001',
  '40P01',
  '53300',
  // A full disk, one that fails, and a server that has become a replica: what a step's call has given is known here alone, and to give
  // the run up would have to be written to the same place.
  '53100',
  '58030',
  '25006',
  '57P01',
  '57P02',
  '57P03',
]);

/** SQLSTATE class 08 and the codes of a server that starts, stops or has crashed; pg says a lost connection in words alone. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (PASSING_CODES.has(code) || code.startsWith('08')) return true;
  const message = error instanceof Error ? error.message : '';
  return (
    code === '' &&
    /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|not queryable/i.test(
      message,
    )
  );
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
