// The simulated world as MJCF, MuJoCo's format. The order of the bodies is the order of the numbers in MuJoCo's arrays, see `physics.ts`.

/** Steps of the simulation per second. */
export const STEP_RATE = 180;
/** Half the edge of a cube and the radius of the apple, in metres. */
export const CUBE_HALF = 0.02;
export const APPLE_RADIUS = 0.035;
/** How far each finger opens, in metres. Franka's hand opens by 80 mm in all. */
export const FINGER_TRAVEL = 0.04;

export type ObjectName = "red cube" | "green cube" | "purple cube" | "apple";

/** A box between two corners, in metres. */
export interface Box {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
}

/**
 * The cabinet of PutAppleInDrawer. VAGEN states its origin (−0.5, −1, 0.5), the point and the handle of its drawer; the sizes are ours.
 * The drawer slides along y, from 0 (closed) to `travel`.
 */
export const CABINET = {
  /** VAGEN's drawer point and handle when the drawer is closed. */
  point: [-0.5, -0.8, 0.2],
  handle: [-0.5, -0.63, 0.2],
  travel: 0.4,
  /** The walls, which do not move. */
  shell: [
    { from: [-0.7, -1, 0], to: [-0.3, -0.665, 0.105] },
    { from: [-0.7, -1, 0.105], to: [-0.66, -0.665, 0.25] },
    { from: [-0.34, -1, 0.105], to: [-0.3, -0.665, 0.25] },
    { from: [-0.7, -1, 0.25], to: [-0.3, -0.665, 0.4] },
    { from: [-0.66, -1, 0.105], to: [-0.34, -0.985, 0.25] },
  ],
  /** The drawer when it is closed: floor, back, sides, front and handle. */
  drawer: [
    { from: [-0.65, -0.97, 0.115], to: [-0.35, -0.655, 0.127] },
    { from: [-0.65, -0.97, 0.127], to: [-0.35, -0.958, 0.185] },
    { from: [-0.65, -0.958, 0.127], to: [-0.638, -0.663, 0.185] },
    { from: [-0.362, -0.958, 0.127], to: [-0.35, -0.663, 0.185] },
    { from: [-0.655, -0.663, 0.112], to: [-0.345, -0.65, 0.243] },
    { from: [-0.55, -0.65, 0.192], to: [-0.45, -0.63, 0.208] },
  ],
} as const satisfies Readonly<Record<string, unknown>> & { shell: readonly Box[]; drawer: readonly Box[] };

/**
 * A hand that slides along x, y and z, with two fingers that slide along y; the origin of the hand is the point between the pads. The
 * arm that carries it is drawn only. Objects are held by friction alone, so they can slip, and what is put down badly falls.
 */
export const mjcf = (objects: readonly ObjectName[], hasDrawer: boolean): string => `<mujoco>
  <option timestep="${1 / STEP_RATE}" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <size memory="4M"/>
  <default>
    <geom contype="1" conaffinity="3" condim="4" friction="0.7 0.005 0.0001"/>
    <default class="fixed"><geom contype="2" conaffinity="0"/></default>
    <default class="pad"><geom friction="1.5 0.02 0.0001" mass="0.1"/></default>
    <default class="arm"><position kp="9000" kv="330" forcerange="-150 150"/></default>
  </default>
  <worldbody>
    <geom class="fixed" type="plane" size="3 3 0.1"/>
    <body gravcomp="1">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <geom type="box" pos="0 0 0.081" size="0.031 0.085 0.029" mass="2"/>
${finger("left", 1)}${finger("right", -1)}    </body>
${objects.map(bodyOf).join("")}${hasDrawer ? cabinet() : ""}  </worldbody>
  <contact><exclude body1="left" body2="right"/></contact>
  <equality><joint joint1="right" joint2="left" polycoef="0 1 0 0 0" solref="0.005 1"/></equality>
  <actuator>
    <position class="arm" joint="x"/>
    <position class="arm" joint="y"/>
    <position class="arm" joint="z"/>
    <position joint="left" kp="800" kv="40" forcerange="-24 24"/>
  </actuator>
</mujoco>
`;

const finger = (name: string, side: 1 | -1): string => `      <body name="${name}" gravcomp="1">
        <joint name="${name}" type="slide" axis="0 ${side} 0" range="0 ${FINGER_TRAVEL}" armature="0.05"/>
        <geom class="pad" type="box" pos="0 ${side * 0.0075} 0.022" size="0.0105 0.0075 0.031"/>
      </body>
`;

const bodyOf = (object: ObjectName): string => `    <body>
      <freejoint/>
      ${
        object === "apple"
          ? `<geom type="sphere" size="${APPLE_RADIUS}" mass="0.15" condim="6" friction="0.7 0.01 0.004"/>`
          : `<geom type="box" size="${CUBE_HALF} ${CUBE_HALF} ${CUBE_HALF}" mass="0.064"/>`
      }
    </body>
`;

const cabinet = (): string => `${CABINET.shell.map(boxGeom).join("")}    <body>
      <joint type="slide" axis="0 1 0" range="0 ${CABINET.travel}" damping="8" frictionloss="2"/>
${CABINET.drawer.map(boxGeom).join("")}    </body>
`;

function boxGeom({ from, to }: Box): string {
  const middle = from.map((low, i) => (low + to[i]) / 2);
  const half = from.map((low, i) => (to[i] - low) / 2);
  return `      <geom class="fixed" type="box" pos="${middle.join(" ")}" size="${half.join(" ")}" density="300"/>\n`;
}
