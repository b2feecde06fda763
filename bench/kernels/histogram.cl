#define BINS 256

kernel void histogram(global const uchar* data, global uint* counts, int size) {
  local uint own[BINS];
  for (int bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) own[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < size; i += get_global_size(0)) atomic_add(&own[data[i]], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) atomic_add(&counts[bin], own[bin]);
}
