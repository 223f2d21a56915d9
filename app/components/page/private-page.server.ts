import type { MiddlewareFunction } from 'react-router';

/** Middleware for pages with a token in their address: no cache keeps a copy, and no other site learns the address. */
export const privatePage: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next();
  response.headers.set('Cache-Control', 'private, no-store');
  response.headers.set('Referrer-Policy', 'same-origin');
  return response;
};
