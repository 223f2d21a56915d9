import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { LOG_FILE_ENTRIES } from '#app/domain/control/evidence-export.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { type Evidence, evidenceOfEvent, evidenceOfLog, evidenceOfRun, type LogIdentity } from '#app/engine/audit/evidence.ts';
import { exportEvidence } from '#app/engine/commands/evidence/export-evidence.ts';
import { takeOrAsk } from '#app/evidence.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

export function downloadEventEvidence({ params, context }: { params: { event: string }; context: Context }): Promise<Response> {
  return download(context, { kind: 'entry', of: params.event }, `evidence-${params.event}.json`, (db, log) =>
    evidenceOfEvent(db, log, idOf(params.event)),
  );
}

export function downloadRunEvidence({ params, context }: { params: { run: string }; context: Context }): Promise<Response> {
  return download(
    context,
    { kind: 'run', of: params.run },
    ({ run }) => `evidence-run-${run?.number}.json`,
    (db, log) => evidenceOfRun(db, log, idOf(params.run)),
  );
}

/**
 * One file of the log, from `?from=`; the newest checkpoint proves it. It is part of the export from `?first=` to `?until=`; without them an
 * export by itself.
 */
export async function downloadLogEvidence({ url, context }: { url: URL; context: Context }): Promise<Response> {
  const { member, read } = context.get(memberContext);
  requireExport(member.roles);
  const place = (name: string, otherwise: number) => Math.max(0, Math.trunc(Number(url.searchParams.get(name) ?? otherwise)) || 0);
  const from = place('from', 0);
  const [first, until] = [place('first', from), place('until', from + LOG_FILE_ENTRIES - 1)];
  const file = `evidence-log-${from}.json`;
  const { engine } = context.get(servicesContext);
  return orRefused(async () => {
    const evidence = await read((db) => evidenceOfLog(db, engine.signer, member.workspace.id, { from, until }));
    await takeOrAsk(context, { export: { kind: 'log', from: first, until }, part: String(from), file });
    return jsonFile(evidence, file);
  });
}

/** The signed note as it left, or would leave, the instance. */
export async function downloadCheckpoint({ params, context }: { params: { size: string }; context: Context }): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const size = /^\d{1,15}$/.test(params.size) ? Number(params.size) : -1;
  const row = await read((db) =>
    db
      .selectFrom('quorate.checkpoints')
      .select('note')
      .where('workspace_id', '=', member.workspace.id)
      .where('size', '=', size)
      .executeTakeFirst(),
  );
  if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return file(row.note, 'text/plain; charset=utf-8', `checkpoint-${size}.txt`);
}

async function download(
  context: Context,
  taken: { kind: 'entry' | 'run'; of: string },
  name: string | ((evidence: Evidence) => string),
  make: (db: Db, log: LogIdentity) => Promise<Evidence>,
): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  requireExport(member.roles);
  return orRefused(async () => {
    const evidence = await read((db) => make(db, engine.signer));
    const called = typeof name === 'string' ? name : name(evidence);
    await performAsMember(context, exportEvidence, { ...taken, file: called });
    return jsonFile(evidence, called);
  });
}

function requireExport(roles: readonly Role[]): void {
  if (!can(roles, 'exportEvidence')) throw data({ code: 'forbidden' }, { status: 403 });
}

async function orRefused(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
}

const jsonFile = (evidence: Evidence, name: string) => file(`${JSON.stringify(evidence, null, 2)}\n`, 'application/json', name);

function idOf(text: string): string {
  const id = z.uuid().safeParse(text);
  if (!id.success) throw new AppError('not_found');
  return id.data;
}

function file(body: string, type: string, name: string): Response {
  return new Response(body, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'private, no-store' },
  });
}
