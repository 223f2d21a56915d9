import { type ComponentType, createElement, type SVGProps } from 'react';

export type IconComponent = ComponentType<SVGProps<SVGSVGElement>>;

const WHOLE: SVGProps<SVGSVGElement> = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
};

/** A component that draws `shapes` on a field of 24 by 24. It is silent to a screen reader unless the properties say otherwise. */
export function createIcon(shapes: [element: string, attributes: Record<string, string>][]): IconComponent {
  const children = shapes.map(([element, attributes]) => createElement(element, attributes));
  return (properties) => createElement('svg', { ...WHOLE, ...properties }, ...children);
}
