import type { MiddlewareFunction } from 'react-router';

/** Middleware of pages whose address holds a token: nothing keeps a copy, and no other site is told the address. */
export const privatePage: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next();
  response.headers.set('Cache-Control', 'private, no-store');
  response.headers.set('Referrer-Policy', 'same-origin');
  return response;
};
