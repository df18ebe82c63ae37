// A small house in the format of ProcTHOR-10K, for tests and for fuzzing.

export const at = (x: number, z: number, y = 0) => ({ x, y, z });

/** A wall as ProcTHOR writes it: its two ends on the floor, then above them. */
export const wall = (id: string, from: [number, number], to: [number, number], more = {}) => ({
  id,
  polygon: [at(...from), at(...to), at(...from, 2.6), at(...to, 2.6)],
  material: "PureWhite",
  ...more,
});

/** A kitchen of 6 by 4 metres and beside it an L-shaped living room. */
export const house = () => ({
  metadata: { schema: "1.0.0" },
  proceduralParameters: { lights: [] },
  windows: [
    {
      id: "window|2|0",
      assetId: "Window_Fixed_36x36",
      room0: "room|2",
      room1: "exterior",
      wall0: "wall|2|2",
      holePolygon: [
        { x: 3.5, y: 1, z: 0 },
        { x: 4.5, y: 1.9, z: 0 },
      ],
    },
  ],
  rooms: [
    {
      id: "room|2",
      roomType: "Kitchen",
      floorMaterial: "Tiles",
      floorPolygon: [at(0, 0), at(0, 4), at(6, 4), at(6, 0)],
    },
    {
      id: "room|3",
      roomType: "LivingRoom",
      floorPolygon: [at(6, 0), at(6, 3), at(6, 4), at(6, 7), at(9, 7), at(9, 3), at(12, 3), at(12, 0)],
    },
  ],
  walls: [
    wall("wall|2|1", [6, 0], [6, 4]),
    wall("wall|3|1", [6, 4], [6, 0]),
    wall("wall|2|2", [0, 0], [6, 0]),
  ],
  doors: [
    {
      id: "door|2|3",
      assetId: "Doorway_1",
      room0: "room|2",
      room1: "room|3",
      wall0: "wall|2|1",
      wall1: "wall|3|1",
      holePolygon: [
        { x: 1.5, y: 0, z: 0 },
        { x: 2.5, y: 2.1, z: 0 },
      ],
      openness: 1,
    },
    {
      id: "door|1|2",
      room0: "room|2",
      room1: "room|2",
      wall0: "wall|2|2",
      holePolygon: [
        { x: 1, y: 0 },
        { x: 2, y: 2 },
      ],
    },
  ],
  objects: [
    {
      id: "Fridge|2|0",
      assetId: "Fridge_4",
      position: at(0.4, 2, 0.9),
      rotation: { x: 0, y: 90, z: 0 },
      children: [],
    },
    {
      id: "DiningTable|2|1",
      assetId: "Dining_Table_208_1",
      position: at(3, 3.4, 0.4),
      rotation: { x: 0, y: 181, z: 0 },
      axisAlignedBoundingBox: { center: at(3, 3.4), size: { x: 1.6, y: 0.8, z: 0.9 } },
      children: [
        {
          id: "Laptop|surface|2|5",
          assetId: "Laptop_2",
          position: at(3, 3.4, 0.9),
          rotation: { x: 0, y: 0, z: 0 },
        },
        { id: "Apple|surface|2|6", assetId: "Apple_2", position: at(3.2, 3.4, 0.9) },
      ],
    },
    { id: "Sofa|3|0", assetId: "Sofa_203_1", position: at(11.9, 1.5, 0.4), rotation: { x: 0, y: 270, z: 0 } },
    {
      id: "TVStand|3|1|0",
      assetId: "TV_Stand_206_1",
      position: at(6.4, 5, 0.3),
      rotation: { x: 0, y: 90, z: 0 },
      children: [
        {
          id: "Television|3|1|1",
          assetId: "Television_1",
          position: at(6.4, 5, 1),
          rotation: { x: 0, y: 90, z: 0 },
        },
      ],
    },
    { id: "Painting|3|2", assetId: "Painting_1", position: at(8, 0.1, 1.6), rotation: { x: 0, y: 0, z: 0 } },
    { id: "SideTable|3|3", assetId: "Side_Table_1", position: at(8.4, 6.4, 0.3) },
    { id: "piano", assetId: "Grand_Piano_1", position: at(8, 2, 0.3) },
    { id: "Bed|9|9", assetId: "Bed_1", position: at(40, 40, 0.3) },
  ],
});
