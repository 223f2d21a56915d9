import { ownMetadata } from '#app/features/auth/company/saml-metadata.server.ts';
import type { Route } from './+types/metadata';

export function loader(args: Route.LoaderArgs) {
  return ownMetadata(args);
}
