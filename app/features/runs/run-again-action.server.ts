import { data, href, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { startAgain } from '#app/engine/commands/runs/start-again.ts';
import { performAsMember } from '#app/perform.server.ts';

type Args = { request: Request; params: { run: string }; context: Readonly<RouterContextProvider> };

/** Why a run was not started again. */
export type AgainRefusal = 'halted' | 'quota' | 'paused' | 'input' | 'queue';

/** Starts an ended run again as a new one. Posting the same page twice starts it once (`key`). */
export async function runAgainAction({ request, params, context }: Args) {
  const form = await request.formData();
  const key = z.uuid().safeParse(form.get('key'));
  if (!key.success || !z.uuid().safeParse(params.run).success) throw new AppError('invalid_input');
  const step = new URL(request.url).searchParams.get('step');
  try {
    const { runId } = await performAsMember(context, startAgain, { run: params.run, step, requestKey: key.data });
    throw redirect(href('/dashboard/runs/:run', { run: runId }), 303);
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    const headers = new Headers(refused.seconds === undefined ? {} : { 'Retry-After': String(refused.seconds) });
    return data({ refused: refused.key, seconds: refused.seconds ?? 0 }, { status: refused.status, headers });
  }
}

function refusalOf(error: unknown): { key: AgainRefusal; status: number; seconds?: number } | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === 'halted') return { key: 'halted', status: 423 };
  if (error.code === 'quota_exceeded') return { key: 'quota', status: 402 };
  if (error.values.what === 'queue') return { key: 'queue', status: error.status, seconds: Number(error.values.seconds) };
  if (error.values.what === 'paused') return { key: 'paused', status: 409 };
  if (error.code === 'invalid_input') return { key: 'input', status: 400 };
  return null;
}
