import type { DrawnProof } from '#app/components/drawing/proof-drawing.tsx';

/** The way of the sixth of eight entries to the root. A test computes all of it anew from `entryText`. */
export const EXAMPLE_PROOF: DrawnProof = {
  index: 5,
  leaf: '3d10d7780a93698043227a44808fae5ae64ae197037f0db05702120b63319a76',
  size: 8,
  root: '7228729d8a2cba9e96cbf32a5bfb063cf67adc87efa15a9f7ab5e3063dc12d00',
  steps: [
    {
      side: 'left',
      from: 4,
      to: 4,
      neighbour: 'b1997079e95ed7d666d872e9446e81839baa470a195c3b69a18ea32be8c6b835',
      result: '34ebfad579b0b1f6a069e350f386195ac9dd86465e6c0f8fc0d2f3061dd1d530',
    },
    {
      side: 'right',
      from: 6,
      to: 7,
      neighbour: '0338a60444022d61dd127dda3e65144e78ea77ea9f4428992b6d3bb013973d20',
      result: '30cd2aab1e39a5e1b123eae873b45a7b3e780534e98939aadb15a3167ac183b3',
    },
    {
      side: 'left',
      from: 0,
      to: 3,
      neighbour: 'd4b0057626aba0fa5d4d5d3b01de0c7ac3824df8bd008b440aaba0e14889920f',
      result: '7228729d8a2cba9e96cbf32a5bfb063cf67adc87efa15a9f7ab5e3063dc12d00',
    },
  ],
};

export const entryText = (index: number) => `Quorate example entry ${index}`;
