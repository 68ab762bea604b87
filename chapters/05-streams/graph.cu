// The same three steps a hundred times: launched one by one, and as a graph.
#include <cstdio>

__global__ void add_one(int* value) { ++*value; }

int main() {
  int *value = nullptr, result = 0;
  cudaMalloc(&value, sizeof(int));
  cudaMemset(value, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  // [capture]
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int step = 0; step < 3; ++step)
    add_one<<<1, 1, 0, stream>>>(value);  // written down, not run
  cudaStreamEndCapture(stream, &graph);

  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  for (int turn = 0; turn < 100; ++turn) cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  // [capture]

  cudaMemcpy(&result, value, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d additions\n", result);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(value);
}
