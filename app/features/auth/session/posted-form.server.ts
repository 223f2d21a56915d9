import { data } from 'react-router';
import { AppError } from '#app/domain/errors.ts';
import { type PreservedForm, type PreservedFormReason, preserveForm } from '#app/domain/web/preserved-form.ts';

/** The posted fields, read from a copy, so that the action still finds the body. Null for anything that is no form. */
export async function postedForm(request: Request): Promise<FormData | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const type = (request.headers.get('Content-Type') ?? '').toLowerCase();
  if (!type.startsWith('application/x-www-form-urlencoded') && !type.startsWith('multipart/form-data')) return null;
  try {
    return await request.clone().formData();
  } catch (error) {
    if (error instanceof AppError) throw failure(error);
    throw data({ code: 'invalid_input', cause: error instanceof Error ? error.name : null }, { status: 400 });
  }
}

/** The form given back whole with this status, or 413 where it is too large to be kept. */
export function givenBack(
  reason: PreservedFormReason,
  action: string,
  form: FormData,
  { status, workspaces = null }: { status: number; workspaces?: PreservedForm['workspaces'] },
) {
  try {
    return data(preserveForm(reason, action, form, workspaces), { status });
  } catch (error) {
    if (error instanceof AppError) return failure(error);
    throw error;
  }
}

/** The answer during an outage: a page says so, and a posted form comes back to be sent again. */
export async function outage({ request, url }: { request: Request; url: URL }, cause: unknown) {
  const form = await postedForm(request);
  if (form !== null) return givenBack('unavailable', `${url.pathname}${url.search}`, form, { status: 503 });
  return data({ code: 'unavailable', cause: cause instanceof Error ? cause.name : null }, { status: 503 });
}

const failure = ({ code, values, status }: AppError) => data({ code, values }, { status });
