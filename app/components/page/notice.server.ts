import { createContext, type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import type { Flash, Undo } from '#app/components/page/flash-notice.tsx';
import type { NoticeKind } from '#app/components/page/notice.tsx';
import type notices from '#locales/en/notices.json';

const COOKIE = 'notice';
const MAX_AGE_SECONDS = 60;

export type NoticeKey = keyof typeof notices;

const flashSchema = z.object({
  key: z.string().max(80),
  kind: z.enum(['ok', 'attention', 'danger', 'info']),
  values: z.record(z.string(), z.union([z.string().max(200), z.number()])),
  undo: z.record(z.string(), z.string().max(2_000)).optional(),
});

/** Answers 303 to `to`, where the notice is shown once, with scripts and without. */
export function redirectWithNotice(
  to: string,
  key: NoticeKey,
  options: { kind?: NoticeKind; values?: Record<string, string | number>; undo?: Undo | undefined; headers?: HeadersInit } = {},
): Response {
  const flash: Flash = { key, kind: options.kind ?? 'ok', values: options.values ?? {}, undo: options.undo };
  const headers = new Headers(options.headers);
  headers.append(
    'Set-Cookie',
    `${COOKIE}=${encodeURIComponent(JSON.stringify(flash))}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax`,
  );
  return redirect(to, { status: 303, headers });
}

const pendingContext = createContext<{ flash: Flash | null; shown: boolean }>({ flash: null, shown: false });

/** Reads the notice of the previous redirect, and deletes it once the root loader has shown it. */
export const noticeMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const pending = { flash: readFlash(request), shown: false };
  context.set(pendingContext, pending);
  const response = await next();
  if (pending.shown) response.headers.append('Set-Cookie', `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
  return response;
};

/** The notice to show with this page; reading it deletes it. */
export function takeNotice(context: Readonly<RouterContextProvider>): Flash | null {
  const pending = context.get(pendingContext);
  if (pending.flash) pending.shown = true;
  return pending.flash;
}

function readFlash(request: Request): Flash | null {
  if (request.method !== 'GET') return null;
  const match = /(?:^|;\s*)notice=([^;]+)/.exec(request.headers.get('Cookie') ?? '');
  if (!match?.[1]) return null;
  try {
    const parsed = flashSchema.safeParse(JSON.parse(decodeURIComponent(match[1])));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
