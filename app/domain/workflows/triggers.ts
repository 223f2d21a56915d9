import type { Json } from '#app/domain/tables.ts';

/** A trigger that may act, and what it would start: as the publisher of the version in force, in whose name its runs are. */
export type TriggerPrincipal = {
  id: string;
  name: string;
  kind: string;
  workspaceId: string;
  artifactId: string;
  artifactName: string;
  versionId: string;
  document: Json;
  userId: string;
  settings: Json;
  secretSealed: Uint8Array | null;
  /** Of a schedule: when it is due; null when it never is again. */
  nextAt: Date | null;
};

/** What the secret of a webhook is sealed with. */
export const hookSealContext = (id: string) => `triggers:${id}`;
