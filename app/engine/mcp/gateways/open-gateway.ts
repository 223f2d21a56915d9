import { AppError } from '#app/domain/errors.ts';
import type { Caller, ServingDeps } from '#app/engine/serving/caller.ts';
import { readServedGateway, type ServedGateway, type ServedPart } from '#app/engine/serving/served-gateway.ts';

/** A gateway that is served to a caller. */
export type GatewayServing = { caller: Caller; deps: ServingDeps; address: string };

/** @throws AppError not_found where there is no such gateway, or it is paused; forbidden where it is not for the caller */
export async function openGateway(
  { caller, address }: Pick<GatewayServing, 'caller' | 'address'>,
  part: ServedPart = { tools: [], calls: 0 },
): Promise<ServedGateway> {
  const workspaceId = caller.key.workspace.id;
  const gateway = await caller.read((db) => readServedGateway(db, { workspaceId, address, part }));
  if (gateway === null) throw new AppError('not_found');
  if (!gateway.admitted) throw new AppError('forbidden', { values: { what: 'gateway' } });
  return gateway;
}
