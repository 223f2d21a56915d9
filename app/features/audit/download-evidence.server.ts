import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { type Evidence, evidenceOfEvent, evidenceOfLog, evidenceOfRun, type LogIdentity } from '#app/engine/audit/evidence.ts';
import { exportEvidence } from '#app/engine/commands/evidence/export-evidence.ts';
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

/** A stretch of the log from `?from=`; the newest checkpoint proves it. */
export function downloadLogEvidence({ url, context }: { url: URL; context: Context }): Promise<Response> {
  const from = Math.max(0, Math.trunc(Number(url.searchParams.get('from') ?? '0')) || 0);
  const { workspace } = context.get(memberContext).member;
  return download(context, { kind: 'log' }, `evidence-log-${from}.json`, (db, log) => evidenceOfLog(db, log, workspace.id, from));
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
  taken: { kind: 'entry' | 'run' | 'log'; of?: string },
  name: string | ((evidence: Evidence) => string),
  make: (db: Db, log: LogIdentity) => Promise<Evidence>,
): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  if (!can(member.roles, 'exportEvidence')) throw data({ code: 'forbidden' }, { status: 403 });
  try {
    const evidence = await read((db) => make(db, engine.signer));
    const called = typeof name === 'string' ? name : name(evidence);
    await performAsMember(context, exportEvidence, { ...taken, file: called });
    return file(`${JSON.stringify(evidence, null, 2)}\n`, 'application/json', called);
  } catch (error) {
    if (error instanceof AppError) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
}

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
