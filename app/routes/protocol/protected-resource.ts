import { describeResource } from '#app/features/serving/describe-resource.server.ts';
import type { Route } from './+types/protected-resource';

export function loader({ params, context }: Route.LoaderArgs) {
  return describeResource(`/${params['*']}`, context);
}
