import { answerAuthCall } from '#app/features/auth/browser/auth-calls-action.server.ts';
import type { Route } from './+types/calls';

export function action(args: Route.ActionArgs) {
  return answerAuthCall(args);
}
