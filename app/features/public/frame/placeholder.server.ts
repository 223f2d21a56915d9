import { AppError } from '#app/domain/errors.ts';

const MAX_SIDE = 2_000;

/** An SVG of that size, in pixels, with the mark in its middle. Sizes are whole numbers from 1 to 2000; anything else is no such image (400). */
export function drawPlaceholder(width: string, height: string): Response {
  const [w, h] = [side(width), side(height)];
  const dots = Array.from({ length: 9 }, (_, seat) => {
    const angle = (seat / 9) * 2 * Math.PI - Math.PI / 2;
    const at = (value: number) => value.toFixed(2);
    const taken = seat < 5;
    return `<circle cx="${at(16 + 9 * Math.cos(angle))}" cy="${at(16 + 9 * Math.sin(angle))}" r="${taken ? 2.2 : 1.7}" fill="${taken ? '#00897c' : 'none'}" stroke="${taken ? '#00897c' : '#788288'}"/>`;
  });
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 32 32"><rect x="-3200" y="-3200" width="6432" height="6432" fill="#eceae5"/>${dots.join('')}</svg>`;
  return new Response(body, { headers: { 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': 'public, max-age=86400' } });
}

function side(text: string): number {
  const size = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > MAX_SIDE) throw new AppError('invalid_input');
  return size;
}
