// MuJoCo as a function from state to state. Every world of a task shares one simulator, so an episode is a list of numbers and needs
// no memory of the WebAssembly.
import type { MainModule } from "@mujoco/mujoco";
import { bytes, size } from "@mujoco/mujoco/mujoco.wasm?bytes";
import { EnvError } from "../../core/errors.ts";
import type { Vec3 } from "../../core/raster/solid.ts";
import { type ReportLoad, startWasm } from "../loading.ts";
import type { Pose } from "./geometry.ts";
import { CABINET, FINGER_TRAVEL, mjcf, type ObjectName } from "./mjcf.ts";

/** All that the next step depends on: MuJoCo's `mjSTATE_INTEGRATION`. Never changed once made. */
export type PhysicsState = Float64Array;

/** Where everything is. Plain data, in metres. */
export interface Snapshot {
  /** The point between the pads of the fingers. */
  hand: Vec3;
  /** How far each finger is open. */
  opening: number;
  /** In the order of the task's objects. */
  objects: readonly Pose[];
  /** How far the drawer is open; 0 without one. */
  drawer: number;
}

let engine: MainModule | null = null;
let loading: Promise<void> | null = null;

/** Loads MuJoCo, once; to be awaited before the first simulator is made. A call after one that failed tries again. See `loadEngine`. */
export function loadPhysics(report: ReportLoad = () => undefined): Promise<void> {
  const onBytes = (arrived: number) => report({ what: "physics (MuJoCo)", bytes: arrived, of: size });
  loading ??= loadEngine(() => {
    onBytes(0);
    return bytes(onBytes);
  })
    .then((loaded) => {
      engine = loaded;
    })
    .catch((error: unknown) => {
      loading = null;
      throw error;
    });
  return loading;
}

const PHYSICS = { title: "PrimitiveSkill", part: "physics, MuJoCo", file: "mujoco.wasm" };

/** @param wasm fetches the WebAssembly, here rather than in MuJoCo so that the bytes can be counted. @throws EnvError("not_loaded") */
export const loadEngine = (wasm: typeof bytes): Promise<MainModule> =>
  startWasm(PHYSICS, async () => {
    const [{ default: start }, wasmBinary] = await Promise.all([import("@mujoco/mujoco"), wasm()]);
    // Emscripten also prints every error that it throws.
    return start({ wasmBinary, printErr: () => undefined });
  });

const HAND_JOINTS = 5;
const OBJECT_NUMBERS = 7;
/** Force on each pad from which an object counts as grasped, as in ManiSkill. */
const GRASP_FORCE = 0.5;
/** Where the fingers are asked to go: beyond closed, so that they press with their full force. */
const CLOSED = -0.01;

/** The simulator of one list of objects. */
export class Simulator {
  private readonly model;
  private readonly data;
  private readonly engine: MainModule;
  private readonly buffer;
  private readonly force;
  private readonly spec: number;
  private readonly drawerAt: number;
  /** MuJoCo's number of the left pad's geom; the right pad's and the objects' follow. */
  private readonly firstPad: number;
  /** Views into the memory of the WebAssembly; `restore` renews them, because that memory may have moved. */
  private qpos: Float64Array = new Float64Array(0);
  private ctrl: Float64Array = new Float64Array(0);

  /** @throws EnvError("not_loaded") before `loadPhysics`. */
  constructor(
    private readonly objects: readonly ObjectName[],
    private readonly hasDrawer: boolean,
  ) {
    if (!engine)
      throw new EnvError(
        "not_loaded",
        "PrimitiveSkill was used before its physics was loaded.",
        "Await load() first.",
      );
    this.engine = engine;
    this.model = engine.MjModel.from_xml_string(mjcf(objects, hasDrawer));
    this.data = new engine.MjData(this.model);
    this.spec = engine.mjtState.mjSTATE_INTEGRATION.value;
    this.buffer = new engine.DoubleBuffer(engine.mj_stateSize(this.model, this.spec));
    this.force = new engine.DoubleBuffer(6);
    // What does not move comes first, then the palm.
    this.firstPad = 2 + (hasDrawer ? CABINET.shell.length : 0);
    this.drawerAt = HAND_JOINTS + objects.length * OBJECT_NUMBERS;
  }

  /** A state at rest: the hand at a place with open fingers, each object in its pose. */
  start(hand: Vec3, objects: readonly Pose[], drawer: number): PhysicsState {
    this.engine.mj_resetData(this.model, this.data);
    this.refresh();
    this.qpos.set([...hand, FINGER_TRAVEL, FINGER_TRAVEL]);
    objects.forEach(({ position, rotation }, i) => {
      this.qpos.set([...position, ...rotation], HAND_JOINTS + i * OBJECT_NUMBERS);
    });
    if (this.hasDrawer) this.qpos[this.drawerAt] = drawer;
    this.aim(hand);
    this.grip(false);
    return this.save();
  }

  /** Whether numbers can be a state of this simulator. */
  accepts(state: readonly number[]): boolean {
    return state.length === this.buffer.GetElementCount() && state.every(Number.isFinite);
  }

  restore(state: PhysicsState): void {
    this.engine.mj_setState(this.model, this.data, state as unknown as number[], this.spec);
    this.refresh();
  }

  save(): PhysicsState {
    this.engine.mj_getState(this.model, this.data, this.buffer, this.spec);
    return Float64Array.from(this.buffer.GetView() as Float64Array);
  }

  /** Where the hand is asked to go. */
  aim(hand: Vec3): void {
    this.ctrl.set(hand);
  }

  /** Where the hand was last asked to go. */
  aimed(): Vec3 {
    return [this.ctrl[0], this.ctrl[1], this.ctrl[2]];
  }

  grip(closed: boolean): void {
    this.ctrl[3] = closed ? CLOSED : FINGER_TRAVEL;
  }

  /** One step of 1 / `STEP_RATE` seconds. */
  step(): void {
    this.engine.mj_step(this.model, this.data);
  }

  hand(): Vec3 {
    return [this.qpos[0], this.qpos[1], this.qpos[2]];
  }

  snapshot(): Snapshot {
    const { qpos } = this;
    const objects = this.objects.map((_, i): Pose => {
      const at = HAND_JOINTS + i * OBJECT_NUMBERS;
      return {
        position: [qpos[at], qpos[at + 1], qpos[at + 2]],
        rotation: [qpos[at + 3], qpos[at + 4], qpos[at + 5], qpos[at + 6]],
      };
    });
    const drawer = this.hasDrawer ? qpos[this.drawerAt] : 0;
    return { hand: this.hand(), opening: (qpos[3] + qpos[4]) / 2, objects, drawer };
  }

  /** Which objects both pads press on with at least `GRASP_FORCE`. Only to be called after `save`: it computes the contacts again. */
  grasped(): boolean[] {
    this.engine.mj_forward(this.model, this.data);
    const pressed = this.objects.map(() => [0, 0]);
    const contacts = this.data.contact;
    for (let i = 0; i < contacts.size(); i++) {
      const contact = contacts.get(i);
      if (!contact) continue;
      const [first, second] = [contact.geom1, contact.geom2].sort((a, b) => a - b);
      const pad = first - this.firstPad;
      const object = pressed[second - this.firstPad - 2];
      if ((pad === 0 || pad === 1) && object) object[pad] += this.pressOf(i);
      contact.delete();
    }
    contacts.delete();
    return pressed.map((pads) => pads.every((force) => force >= GRASP_FORCE));
  }

  /** Force of a contact along its normal, in newtons. */
  private pressOf(contact: number): number {
    this.engine.mj_contactForce(this.model, this.data, contact, this.force);
    return (this.force.GetView() as Float64Array)[0];
  }

  private refresh(): void {
    this.qpos = this.data.qpos as Float64Array;
    this.ctrl = this.data.ctrl as Float64Array;
  }
}
