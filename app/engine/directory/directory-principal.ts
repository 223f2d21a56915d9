import type { DirectoryAccess } from '#app/contracts/access.ts';
import type { Principal } from '#app/contracts/principals.ts';

/** A company's directory as the principal of a command. It has no role: what it may reach, the database says. */
export function directoryPrincipal({ directory, read, change }: Pick<DirectoryAccess, 'directory' | 'read' | 'change'>): Principal {
  const { workspace, tokenId: userId, name } = directory;
  return { workspace, userId, name, roles: [], scopes: null, read, change };
}
