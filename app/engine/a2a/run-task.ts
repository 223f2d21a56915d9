import { type Artifact, type Message, type Part, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors';
import { type Expression, type SqlBool, sql } from 'kysely';
import { v4 as newUuid } from 'uuid';
import type { Json } from '#app/contracts/json.ts';
import type { ServedRun } from '#app/contracts/runs.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import type { AppError } from '#app/domain/errors.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { FIELD_RULES } from '#app/domain/workflows/fields/field-rules.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { refusalText } from '#app/engine/serving/refusal-text.ts';
import { askPage, askSentence } from '#app/engine/serving/served-runs.ts';
import type { TextPiece } from '#app/engine/serving/served-texts.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

const STATES: Record<RunStatus, TaskState> = {
  pending: TaskState.TASK_STATE_SUBMITTED,
  processing: TaskState.TASK_STATE_WORKING,
  // for a time, an event or another run: no input brings it on
  waiting: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

function stateOf({ status, ask }: ServedRun): TaskState {
  if (status !== 'waiting' || ask === null) return STATES[status];
  return ask.what === 'signIn' ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_INPUT_REQUIRED;
}

/** The first thing that a waiting run of the open workspace asks a person for; null where it asks nobody. */
const asked = sql<string | null>`(select l.kind from quorate.list_asks(array[r.id]) l order by l.id limit 1)`;

const IN_STATE: { readonly [State in TaskState]?: () => Expression<SqlBool> } = {
  [TaskState.TASK_STATE_INPUT_REQUIRED]: () => sql<SqlBool>`(r.status = 'waiting' and ${asked} <> 'signIn')`,
  [TaskState.TASK_STATE_AUTH_REQUIRED]: () => sql<SqlBool>`(r.status = 'waiting' and ${asked} = 'signIn')`,
};

const KEY_HEAD = 'a2a:';
/** Ids of keys and of messages come before the context at one width: the head, a UUID, a colon, a digest in base64url, a colon. */
const CONTEXT_FROM = KEY_HEAD.length + 36 + 1 + 43 + 1;
/** A longer one is refused: cut, two of them could become one. */
export const MOST_CONTEXT_CHARACTERS = 200;

/** One message of a key starts one run, however often it arrives. The request key keeps the context that it was spoken in as well. */
export function messageKey(keyId: string, { messageId, contextId }: Pick<Message, 'messageId' | 'contextId'>): string {
  const digest = Buffer.from(sha256(Buffer.from(messageId))).toString('base64url');
  return `${KEY_HEAD}${keyId}:${digest}:${contextId}`;
}

/** A run that was started in no context is one of its own. */
function contextOf(run: ServedRun): string {
  const spoken = run.requestKey?.startsWith(KEY_HEAD) === true ? run.requestKey.slice(CONTEXT_FROM) : '';
  return spoken === '' ? run.id : spoken;
}

/** Conditions on runs for the filters of ListTasks. */
export function taskFilters({
  contextId,
  status,
  since,
}: {
  contextId: string;
  status: TaskState;
  since: Date | null;
}): Expression<SqlBool>[] {
  const wanted = Object.entries(STATES).flatMap(([run, state]) => (state === status ? [run] : []));
  const inState =
    IN_STATE[status]?.() ?? sql<SqlBool>`(r.status = any (${wanted}) and not (r.status = 'waiting' and ${asked} is not null))`;
  return [
    ...(contextId === ''
      ? []
      : [
          sql<SqlBool>`(r.id::text = ${contextId} or (r.request_key like 'a2a:%' and substr(r.request_key, ${CONTEXT_FROM + 1}) = ${contextId}))`,
        ]),
    ...(status === TaskState.TASK_STATE_UNSPECIFIED ? [] : [inState]),
    ...(since === null ? [] : [sql<SqlBool>`r.updated_at >= ${since}`]),
  ];
}

/** A run as a task: the same state for everyone. */
export function taskOf(run: ServedRun, origin: string): Task {
  const contextId = contextOf(run);
  return {
    id: run.id,
    contextId,
    status: statusOf(run, origin),
    artifacts: run.status === 'completed' ? [artifactOf(run)] : [],
    history: [],
    metadata: { number: run.number, subject: plainSubject(run.subject) },
  };
}

export function statusOf(run: ServedRun, origin: string): NonNullable<Task['status']> {
  const text =
    run.ask !== null
      ? `${askSentence(run, run.ask)} ${askPage(origin, run)}`
      : run.status === 'failed' && run.error !== null
        ? JSON.stringify(run.error)
        : null;
  return {
    state: stateOf(run),
    timestamp: run.updatedAt.toISOString(),
    message: text === null ? undefined : messageOf(run.id, contextOf(run), text, `${run.status} ${run.ask?.what} ${run.ask?.id}`),
  };
}

export function artifactOf(run: ServedRun): Artifact {
  return { artifactId: 'output', name: 'output', description: '', parts: [partOf(run.output)], metadata: undefined, extensions: [] };
}

/**
 * The text that a step is writing, as an artifact of its own beside the result: pieces to append, or the length so far where the answer may
 * still be refused. No task keeps it.
 */
export function textUpdate(about: { taskId: string; contextId: string }, { path, name, chars, piece, begins }: TextPiece): StreamResponse {
  const artifact: Artifact = {
    artifactId: `writing:${path}`,
    name,
    description: 'Text under way. The result is the artifact `output`.',
    parts: [partOf(piece ?? { characters: chars })],
    metadata: { partial: true },
    extensions: [],
  };
  const append = piece !== null && !begins;
  return { payload: { $case: 'artifactUpdate', value: { ...about, metadata: undefined, artifact, append, lastChunk: false } } };
}

/** A sentence to the caller. Its id is made from the task and from `about`: the same sentence has the same id however often it is asked for. */
function messageOf(taskId: string, contextId: string, text: string, about: string): Message {
  const digest = Buffer.from(sha256(Buffer.from(`${taskId} ${about}`)));
  return {
    messageId: newUuid({ random: digest.subarray(0, 16) }),
    role: Role.ROLE_AGENT,
    taskId,
    contextId,
    parts: [partOf(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function partOf(value: Json): Part {
  return typeof value === 'string'
    ? { content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined }
    : { content: { $case: 'data', value }, mediaType: 'application/json', filename: '', metadata: undefined };
}

/**
 * The input of a workflow from a message: the objects of its data parts; bare text goes into the field `text`, or the first that takes
 * text. Files are refused: ContentTypeNotSupportedError.
 */
export function inputOf(message: Message, workflow: ServedWorkflow): { [name: string]: Json } {
  const input: { [name: string]: Json } = {};
  const texts: string[] = [];
  for (const { content } of message.parts) {
    if (content?.$case === 'text') texts.push(content.value);
    else if (content?.$case === 'data' && isObject(content.value)) Object.assign(input, content.value);
    else throw new ContentTypeNotSupportedError('A message has parts of text, and parts of data that are objects.');
  }
  const fields = workflow.document.input.filter(({ type }) => FIELD_RULES[type].takesText);
  const field = fields.find(({ name }) => name === 'text') ?? fields[0];
  if (texts.length > 0 && field !== undefined && !Object.hasOwn(input, field.name)) input[field.name] = texts.join('\n');
  return input;
}

const isObject = (value: unknown): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A start that the workspace refused. There is no run, so that nobody finds it later. */
export function rejectedTask({ id, contextId, at }: { id: string; contextId: string; at: Date }, error: AppError): Task {
  const context = contextId === '' ? id : contextId;
  return {
    id,
    contextId: context,
    status: {
      state: TaskState.TASK_STATE_REJECTED,
      timestamp: at.toISOString(),
      message: messageOf(id, context, refusalText(error), error.code),
    },
    artifacts: [],
    history: [],
    metadata: undefined,
  };
}
