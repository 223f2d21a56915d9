import { type ActionFunction, data, type MiddlewareFunction, type ServerBuild } from 'react-router';
import { AppError } from '#app/domain/errors.ts';
import { ANONYMOUS_MAX_BYTES } from '#app/domain/web/body-limits.ts';
import { preserveForm } from '#app/domain/web/preserved-form.ts';
import { isProgramPath } from '#app/domain/web/problem.ts';

/**
 * The one place where an expected failure becomes an answer of the web: its status, and its code for the error page.
 * React Router would take a thrown error for a defect, answer 500 and hide it. By name, because development may hold two
 * evaluations of the class.
 */
export function answerExpectedFailures(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (route === undefined) return [id, route];
    const { loader, action, middleware, default: screen } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: answering(loader) }),
      ...(action && { action: answering(screen === undefined ? action : keepingForm(action)) }),
      ...(middleware && { middleware: middleware.map(answeringPages) }),
    };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

function answering<Args extends unknown[], Result>(handler: (...args: Args) => Result) {
  return async (...args: Args): Promise<Awaited<Result>> => {
    try {
      return await handler(...args);
    } catch (error) {
      throw expected(error);
    }
  };
}

/** Programs get problems, which outermost middleware makes of the errors themselves. */
function answeringPages(handler: MiddlewareFunction<Response>): MiddlewareFunction<Response> {
  return async (args, next) => {
    try {
      return await handler(args, next);
    } catch (error) {
      throw isProgramPath(args.url.pathname) ? error : expected(error);
    }
  };
}

/** A form that could not be taken because the database is away comes back with everything in it, to be sent again. */
function keepingForm(action: ActionFunction): ActionFunction {
  return async (args) => {
    const length = Number(args.request.headers.get('Content-Length') ?? Number.POSITIVE_INFINITY);
    const copy = length <= ANONYMOUS_MAX_BYTES ? args.request.clone() : null;
    try {
      return await action(args);
    } catch (error) {
      if (copy === null || !isAppError(error) || error.code !== 'unavailable') throw error;
      const address = `${args.url.pathname}${args.url.search}`;
      throw data(preserveForm('unavailable', address, await copy.formData(), null), { status: error.status });
    }
  };
}

const isAppError = (error: unknown): error is AppError => error instanceof Error && error.name === AppError.name;

function expected(error: unknown): unknown {
  if (isAppError(error)) {
    const { code, status, values } = error;
    return data({ code, values }, { status });
  }
  return isUnreadableForm(error) ? data({ code: 'invalid_input' }, { status: 400 }) : error;
}

/** A body that is not the form that its type says: the platform has no class of its own for it (undici, `formData`). */
function isUnreadableForm(error: unknown): boolean {
  return error instanceof TypeError && /^Failed to parse body as FormData/.test(error.message);
}
