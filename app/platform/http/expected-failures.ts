import { data, type ServerBuild } from 'react-router';
import { AppError } from '#app/domain/errors.ts';

/**
 * The one place where an expected failure becomes an answer of the web: its status, and its code for the error page.
 * React Router would take a thrown error for a defect, answer 500 and hide it. By name, because development may hold two
 * evaluations of the class.
 */
export function answerExpectedFailures(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (route === undefined) return [id, route];
    const { loader, action } = route.module;
    const module = { ...route.module, ...(loader && { loader: answering(loader) }), ...(action && { action: answering(action) }) };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function answering<Args extends unknown[], Result>(handler: (...args: Args) => Result) {
  return async (...args: Args): Promise<Awaited<Result>> => {
    try {
      return await handler(...args);
    } catch (error) {
      if (error instanceof Error && error.name === AppError.name) {
        const { code, status, values } = error as AppError;
        throw data({ code, values }, { status });
      }
      if (isUnreadableForm(error)) throw data({ code: 'invalid_input' }, { status: 400 });
      throw error;
    }
  };
}

/** A body that is not the form that its type says: the platform has no class of its own for it (undici, `formData`). */
function isUnreadableForm(error: unknown): boolean {
  return error instanceof TypeError && /^Failed to parse body as FormData/.test(error.message);
}
