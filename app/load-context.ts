import { RouterContextProvider } from 'react-router';
import { bodyContext } from '#app/components/page/problem.server.ts';
import {
  arrivalContext,
  cachedPageContext,
  clientContext,
  nonceContext,
  requestIdContext,
  type Services,
  servicesContext,
} from '#app/contracts/request-context.ts';
import type { AppError } from '#app/domain/errors.ts';
import type { Arrival } from '#app/platform/http/arrival.ts';

/** The context that loaders, actions and middleware of this request start with. */
export function createLoadContext(
  services: Services,
  arrival: Arrival,
  body: { readonly refusal: AppError | null },
): RouterContextProvider {
  const context = contextOf(services, arrival);
  context.set(bodyContext, body);
  context.set(nonceContext, arrival.nonce);
  return context;
}

/** The context of a page that is drawn for the cache: nobody in particular asks for it, and it has no nonce. */
export function createCachedPageContext(services: Services, requestId: string): RouterContextProvider {
  const { origin } = services;
  const context = contextOf(services, {
    requestId,
    address: '',
    secure: origin.startsWith('https:'),
    host: new URL(origin).host,
    socketAddress: '',
    forwarded: true,
  });
  context.set(cachedPageContext, true);
  return context;
}

function contextOf(services: Services, arrival: Omit<Arrival, 'nonce'>): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(servicesContext, services);
  context.set(clientContext, { address: arrival.address, secure: arrival.secure });
  context.set(requestIdContext, arrival.requestId);
  context.set(arrivalContext, { host: arrival.host, socketAddress: arrival.socketAddress, forwarded: arrival.forwarded });
  return context;
}
