import { receiveHook, refuseReading } from '#app/features/triggers/receive-hook.server.ts';
import type { Route } from './+types/hook';

export function loader() {
  return refuseReading();
}

export function action({ request, params, context }: Route.ActionArgs) {
  return receiveHook({ request, id: params.hook, context });
}
