import type {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from '@a2a-js/sdk';
import {
  A2AError,
  ExtendedAgentCardNotConfiguredError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { z } from 'zod';
import type { ServedRun } from '#app/contracts/runs.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import {
  artifactOf,
  inputOf,
  MOST_CONTEXT_CHARACTERS,
  messageKey,
  rejectedTask,
  statusOf,
  taskFilters,
  taskOf,
  textUpdate,
} from '#app/engine/a2a/run-task.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import { refusalText } from '#app/engine/serving/refusal-text.ts';
import { reportDefect } from '#app/engine/serving/report-defect.ts';
import { cancelServedRun, followRun, isSettled, listServedRuns, startServedRun, untilSettled } from '#app/engine/serving/served-runs.ts';
import { watchTexts } from '#app/engine/serving/served-texts.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

/** How long a call or a stream follows its run; a caller that wants to know later asks for the task. */
const FOLLOW_MS = 10 * 60_000;
const CANCEL_MS = 10_000;
const PAGE = { most: 100, usual: 50 };

/** `signal` ends what follows a run: its caller has gone. */
export type Serving = { caller: Caller; deps: ServingDeps; workflow: ServedWorkflow; signal: AbortSignal };

/**
 * A workflow as an agent. A task is a run and nothing else keeps it, so that every process answers alike, also after a restart, and a person
 * at the screen sees what the caller sees. Throws A2AErrors, and AppError
 * `unavailable`, which stays readable as `outage`; what else goes wrong is logged, and reported as nothing but that.
 */
export class RunRequests implements A2ARequestHandler {
  readonly #card: AgentCard;
  readonly #serving: Serving;
  /** The service's own failure, which the HTTP status must report as well. */
  outage: AppError | null = null;

  constructor(card: AgentCard, serving: Serving) {
    this.#card = card;
    this.#serving = serving;
  }

  async getAgentCard(): Promise<AgentCard> {
    return this.#card;
  }

  /** Waits until the run has ended or a person has to decide, unless the caller wants the task at once. */
  sendMessage({ message, configuration }: SendMessageRequest): Promise<Task> {
    return this.#withProtocolErrors(async () => {
      const { caller, deps, signal } = this.#serving;
      const opened = await this.#open(message, configuration?.taskPushNotificationConfig);
      if ('rejected' in opened) return opened.rejected;
      const waitMs = configuration?.returnImmediately === true ? 0 : FOLLOW_MS;
      const run = await untilSettled(caller, deps, opened.runId, {
        waitMs,
        signal,
        ...(waitMs > 0 && { fresh: opened.fresh, begun: opened.begun }),
      });
      if (run === null) throw notFound(opened.runId);
      return taskOf(run, deps.origin);
    });
  }

  async *sendMessageStream({ message, configuration }: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const opened = await this.#withProtocolErrors(() => this.#open(message, configuration?.taskPushNotificationConfig));
    if ('rejected' in opened) yield { payload: { $case: 'task', value: opened.rejected } };
    else yield* this.#follow(opened.runId, isSettled, opened.begun);
  }

  /** The remaining time of a task under way. A task that waits for a person is followed beyond that. */
  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const run = await this.#withProtocolErrors(() => this.#run(id));
    if (isTerminalRunStatus(run.status)) throw new UnsupportedOperationError(`Task ${id} has ended. GetTask says how.`);
    const from = run.ask?.id;
    yield* this.#follow(id, (now) => isSettled(now) && !(now.ask !== null && now.ask.id === from));
  }

  getTask({ id }: GetTaskRequest): Promise<Task> {
    return this.#withProtocolErrors(async () => taskOf(await this.#run(id), this.#serving.deps.origin));
  }

  listTasks({
    pageSize,
    pageToken,
    contextId,
    status,
    statusTimestampAfter,
    includeArtifacts,
  }: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#withProtocolErrors(async () => {
      const { caller, deps, workflow } = this.#serving;
      const limit = pageSize ?? PAGE.usual;
      if (!Number.isInteger(limit) || limit < 1 || limit > PAGE.most)
        throw new RequestMalformedError(`pageSize is from 1 to ${PAGE.most}.`);
      const after = pageToken === '' ? null : placeOf(pageToken);
      if (after === undefined) throw new RequestMalformedError('pageToken is none of ours.');
      const since = statusTimestampAfter === undefined || statusTimestampAfter === '' ? null : new Date(statusTimestampAfter);
      if (since !== null && Number.isNaN(since.getTime())) throw new RequestMalformedError('statusTimestampAfter is no time in ISO 8601.');
      const { runs, total } = await listServedRuns(caller, {
        workflowId: workflow.id,
        after,
        limit: limit + 1,
        narrow: taskFilters({ contextId, status, since }),
      });
      const page = runs.slice(0, limit);
      return {
        tasks: page.map((run) => ({ ...taskOf(run, deps.origin), ...(includeArtifacts === true ? {} : { artifacts: [] }) })),
        nextPageToken: runs.length > limit ? tokenOf(page.at(-1)) : '',
        pageSize: limit,
        totalSize: total,
      };
    });
  }

  /** Asks for the end of the run, and waits for it. */
  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#withProtocolErrors(async () => {
      const { caller, deps, signal } = this.#serving;
      const run = await this.#run(id);
      if (run.status === 'cancelled') return taskOf(run, deps.origin);
      if (isTerminalRunStatus(run.status)) throw new TaskNotCancelableError(`Task ${id} has ended.`);
      await cancelServedRun(caller, deps, id);
      const over = await untilSettled(caller, deps, id, {
        waitMs: CANCEL_MS,
        signal,
        isEnough: (now) => isTerminalRunStatus(now.status),
      });
      if (over?.status !== 'cancelled') throw new TaskNotCancelableError(`Task ${id} cannot be cancelled as it stands.`);
      return taskOf(over, deps.origin);
    });
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    throw new ExtendedAgentCardNotConfiguredError('There is no other card.');
  }
  async createTaskPushNotificationConfig(): Promise<never> {
    throw noPush();
  }
  async getTaskPushNotificationConfig(): Promise<never> {
    throw noPush();
  }
  async listTaskPushNotificationConfigs(): Promise<never> {
    throw noPush();
  }
  async deleteTaskPushNotificationConfig(): Promise<never> {
    throw noPush();
  }

  /** The run that a message starts, started, or asks about. What the workspace refuses to start is a task of its own that was rejected. */
  async #open(
    message: Message | undefined,
    push: unknown,
  ): Promise<{ runId: string; fresh: boolean; begun?: ServedRun | undefined } | { rejected: Task }> {
    const { caller, deps, workflow } = this.#serving;
    if (push !== undefined) throw noPush();
    if (message === undefined || message.messageId === '') throw new RequestMalformedError('A message has a messageId.');
    if (message.contextId.length > MOST_CONTEXT_CHARACTERS)
      throw new RequestMalformedError(`A contextId has at most ${MOST_CONTEXT_CHARACTERS} characters.`);
    if (message.taskId !== '') {
      // A message to a task that waits for a person decides nothing: it returns the state of the run.
      const run = await this.#run(message.taskId);
      if (isTerminalRunStatus(run.status))
        throw new UnsupportedOperationError(`Task ${run.id} has ended. Send the message without a task.`);
      return { runId: run.id, fresh: false };
    }
    const input = inputOf(message, workflow);
    try {
      const { runId, again, begun } = await startServedRun(caller, deps, {
        workflow,
        input,
        triggerKind: 'a2a',
        requestKey: messageKey(caller.key.id, message),
      });
      return { runId, fresh: !again, begun };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      if (error.values.what === 'idempotencyKey') throw new RequestMalformedError('This messageId was used for another message.');
      if (error.code === 'invalid_input') throw new RequestMalformedError(refusalText(error));
      return { rejected: rejectedTask({ id: deps.newId(), contextId: message.contextId, at: deps.now() }, error) };
    }
  }

  async #run(id: string): Promise<ServedRun> {
    const { caller, workflow } = this.#serving;
    const run = z.uuid().safeParse(id).success ? await caller.readRun(id) : null;
    if (run === null || run.workflowId !== workflow.id) throw notFound(id);
    return run;
  }

  async *#follow(runId: string, isEnough: (run: ServedRun) => boolean, begun?: ServedRun): AsyncGenerator<StreamResponse, void, undefined> {
    const { caller, deps, signal } = this.#serving;
    const left = new AbortController();
    const runs = followRun(caller, deps, runId, { waitMs: FOLLOW_MS, signal: AbortSignal.any([signal, left.signal]), begun });
    let written = Promise.withResolvers<void>();
    const texts = watchTexts(caller, deps, runId, () => written.resolve());
    let contextId = '';
    let announced = false;
    try {
      for (let next = runs.next(); ; next = runs.next()) {
        while (await isFirst(written.promise, next)) {
          written = Promise.withResolvers();
          for (const piece of await this.#withProtocolErrors(() => texts.read())) yield textUpdate({ taskId: runId, contextId }, piece);
        }
        const { value: run, done } = await this.#withProtocolErrors(() => next);
        if (done === true || run === undefined) return;
        const task = taskOf(run, deps.origin);
        const about = { taskId: task.id, contextId: task.contextId, metadata: undefined };
        if (!announced) yield { payload: { $case: 'task', value: task } };
        else {
          if (run.status === 'completed')
            yield { payload: { $case: 'artifactUpdate', value: { ...about, artifact: artifactOf(run), append: false, lastChunk: true } } };
          yield { payload: { $case: 'statusUpdate', value: { ...about, status: statusOf(run, deps.origin) } } };
        }
        announced = true;
        contextId = task.contextId;
        if (isEnough(run)) return;
      }
    } finally {
      texts.stop();
      left.abort();
      await runs.return();
    }
  }

  async #withProtocolErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof A2AError) throw error;
      if (error instanceof AppError && error.code === 'unavailable') {
        this.outage = new AppError('unavailable', { cause: error, values: error.values, message: refusalText(error) });
        throw this.outage;
      }
      if (error instanceof AppError) throw new UnsupportedOperationError(refusalText(error));
      const { deps, caller } = this.#serving;
      throw new Error(reportDefect(error, caller, deps), { cause: error });
    }
  }
}

/** Whether the text comes before the run has another state, which is then told alone. */
const isFirst = (written: Promise<void>, next: Promise<unknown>): Promise<boolean> =>
  Promise.race([next, written.then(() => true)]).then(
    (first) => first === true,
    () => false,
  );

/** The position of a run in the list as a page token, and back. Undefined: not a token of ours. */
const tokenOf = (run: ServedRun | undefined) => (run === undefined ? '' : `${run.updatedAt.getTime()}_${run.id}`);
function placeOf(token: string): { updatedAt: Date; id: string } | undefined {
  const [time = '', id] = token.split('_');
  const place = z
    .object({ id: z.uuid(), updatedAt: z.date() })
    .safeParse({ id, updatedAt: new Date(/^\d{1,15}$/.test(time) ? Number(time) : NaN) });
  return place.data;
}

const notFound = (id: string) => new TaskNotFoundError(`There is no task ${id} of this agent.`);
const noPush = () => new PushNotificationNotSupportedError('Follow the task by SubscribeToTask, or ask for it.');
