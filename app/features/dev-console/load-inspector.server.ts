import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import { cutFrames } from '#app/components/value/shown-frames.ts';
import { valueCutter } from '#app/components/value/shown-value.ts';
import { type Explanation, explanationSchema } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { readFrames } from '#app/engine/connections/frames.ts';
import { readCallLine } from '#app/engine/runs/read-call-line.ts';
import { loadCatalogueItems } from '#app/engine/workflows/load-catalogue.ts';
import { inputSkeleton } from '#app/features/dev-console/inspection-document.ts';

type Arguments = { url: URL; context: Readonly<RouterContextProvider> };

/** Everything that can be called, and the chosen capability with a sample input. */
export async function loadInspector({ url, context }: Arguments) {
  const { read } = inspecting(context);
  const items = inReadersLanguage(context, await read(loadCatalogueItems)).filter((item) => item.approved);
  const options = items
    .map((item) => ({
      value: `${item.connection}/${item.capability}`,
      label: revealedText(`${item.connectionName} · ${item.title === '' ? item.capability : item.title}`),
      item,
    }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
  const wanted = url.searchParams.get('capability');
  const chosen = options.find((option) => option.value === wanted);
  return {
    options: options.map(({ value, label }) => ({ value, label })),
    chosen:
      chosen === undefined
        ? null
        : {
            value: chosen.value,
            label: chosen.label,
            description: revealedText(chosen.item.description),
            id: chosen.item.id,
            inputSchema: chosen.item.inputSchema === null ? null : valueCutter().json(chosen.item.inputSchema),
            skeleton: inputSkeleton(chosen.item.inputSchema),
          },
    requestKey: context.get(servicesContext).newId(),
  };
}
export type LoadedInspector = Awaited<ReturnType<typeof loadInspector>>;

/** One call: its decision, its answer, and every frame on the wire. @throws AppError not_found */
export async function loadInspection({ params, context }: { params: { run: string }; context: Readonly<RouterContextProvider> }) {
  const { read } = inspecting(context);
  const id = z.uuid().safeParse(params.run).data;
  const found = id === undefined ? undefined : await read((db) => readInspection(db, id));
  if (found?.run === undefined) throw new AppError('not_found');
  const { run, step, decision } = found;
  const [call] = workflowDocumentSchema.parse(run.document).steps;
  const values = valueCutter();
  const shown = (value: Json | null | undefined) => (value == null ? null : values.json(value));
  const target = call !== undefined && 'capability' in call ? `${call.connection}/${call.capability}` : null;
  return {
    id: run.id,
    name: run.name,
    status: run.status,
    over: isTerminalRunStatus(run.status),
    target,
    startedAt: run.created_at.toISOString(),
    protocol: step?.protocol ?? null,
    verdict: decision?.verdict ?? null,
    decisionId: decision?.id ?? null,
    path: step?.path ?? '',
    input: shown(step?.input),
    output: shown(step?.output),
    error: explained(step?.error ?? run.error),
    approvalId: found.approval?.id ?? null,
    inLine: found.inLine,
    frames: cutFrames(readFrames(step?.frames), values),
  };
}
export type LoadedInspection = Awaited<ReturnType<typeof loadInspection>>;

/** All requests and answers of an inspection as a JSON file. @throws AppError not_found */
export async function downloadFrames({ params, context }: { params: { run: string }; context: Readonly<RouterContextProvider> }) {
  const { read } = inspecting(context);
  const id = z.uuid().safeParse(params.run).data;
  const found = id === undefined ? undefined : await read((db) => readInspection(db, id));
  if (id === undefined || found?.step === undefined) throw new AppError('not_found');
  return jsonFile(readFrames(found.step.frames), `quorate-frames-${id}`);
}

async function readInspection(db: Parameters<typeof loadCatalogueItems>[0], id: string) {
  const run = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .innerJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .where('r.id', '=', id)
    .where('a.kind', '=', 'inspection')
    .select(['r.id', 'a.name', 'r.status', 'r.error', 'r.created_at', 'v.document'])
    .executeTakeFirst();
  if (run === undefined) return undefined;
  const step = await db
    .selectFrom('quorate.steps')
    .where('run_id', '=', id)
    .select(['path', 'protocol', 'input', 'output', 'error', 'frames'])
    .executeTakeFirst();
  const decision = await db
    .selectFrom('quorate.decisions')
    .where('run_id', '=', id)
    .orderBy('decided_at', 'desc')
    .select(['id', 'verdict'])
    .executeTakeFirst();
  const approval = await db
    .selectFrom('quorate.approvals')
    .where('run_id', '=', id)
    .where('status', '=', 'pending')
    .select('id')
    .executeTakeFirst();
  return { run, step, decision, approval, inLine: await readCallLine(db, id, new Date()) };
}

function explained(value: unknown): Explanation | null {
  return explanationSchema.safeParse(value).data ?? null;
}

function inspecting(context: Readonly<RouterContextProvider>) {
  const access = context.get(memberContext);
  if (!can(access.member.roles, 'authorWorkflow')) throw data({ code: 'forbidden' }, { status: 403 });
  return access;
}
